import type { MapSources } from '#shared/config/map-sources.ts'
import type { BaseSource } from './base-layers.ts'

/** A map below the lap, as drivers choose it. */
export type BaseName = 'satellite' | 'street'

/** The sentence for a map that the operator has no source of. */
export const NO_SOURCE: Readonly<Record<BaseName, string>> = {
  satellite: 'This site has no satellite pictures. Its operator can add a source.',
  street: 'This site has no street map. Its operator can add a source.',
}

/** Returns the map that a driver wants, and a note if it is not there, or another one that was pressed is not. */
export function chooseBase(
  sources: MapSources,
  wanted: BaseName,
  pressed: BaseName | null = null,
): { readonly base: BaseSource | null; readonly note: string | null } {
  const base = sources[wanted]
  const absent = pressed ?? (base ? null : wanted)
  return { base, note: absent && NO_SOURCE[absent] }
}
