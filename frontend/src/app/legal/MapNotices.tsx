import type { ReactNode } from 'react'
import type { MapSources } from '#shared/config/map-sources.ts'
import { useRunTimeConfig } from '../use-run-time-config.ts'
import { mapHosts, usesGoogle } from './map-hosts.ts'

/** What the privacy policy says of maps; nothing on a site without them. */
export function MapPrivacy() {
  const sources = useMapSources()
  const hosts = sources ? mapHosts(sources, window.location.host) : []
  if (!sources || hosts.length === 0) return null
  return (
    <section>
      <h2>Maps</h2>
      <p>
        When you open the 2D or 3D view, your browser fetches pictures of the map from {hosts.join(', ')}.
        These servers see your network address and which part of the Earth you look at, never your file.
      </p>
      {usesGoogle(sources) && (
        <p>
          The 3D view uses the Google Maps API. The{' '}
          <GoogleLink to="https://policies.google.com/privacy">Google Privacy Policy</GoogleLink> is part of
          this policy.
        </p>
      )}
    </section>
  )
}

/** What the terms say of maps; nothing on a site without tiles of Google. */
export function MapTerms() {
  const sources = useMapSources()
  if (!sources || !usesGoogle(sources)) return null
  return (
    <section>
      <h2>Maps</h2>
      <p>
        The 3D view shows content of Google Maps. By using it you are bound by the{' '}
        <GoogleLink to="https://policies.google.com/terms">Google Terms of Service</GoogleLink> and the{' '}
        <GoogleLink to="https://maps.google.com/help/terms_maps.html">
          Google Maps Additional Terms of Service
        </GoogleLink>
        .
      </p>
    </section>
  )
}

function useMapSources(): MapSources | null {
  const config = useRunTimeConfig()
  return config?.maps ? config.mapSources : null
}

function GoogleLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <a
      href={to}
      target="_blank"
      rel="noreferrer"
      className="rounded-sm text-accent underline underline-offset-2"
    >
      {children}
    </a>
  )
}
