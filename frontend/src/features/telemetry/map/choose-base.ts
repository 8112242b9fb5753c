import type { MapSources } from '#shared/config/map-sources.ts'
import type { BaseSource } from './base-layers.ts'

/** A map below the lap, as drivers choose it. */
export type BaseName = 'satellite' | 'street'

/** The sentence for a map that the operator has no source of. */
export const NO_SOURCE: Readonly<Record<BaseName, string>> = {
  satellite: 'This site has no satellite pictures. Its operator can add a source.',
  street: 'This site has no street map. Its operator can add a source.',
}

/** Returns the map that a driver wants, or a note that says why it is not there. */
export function chooseBase(
  sources: MapSources,
  wanted: BaseName,
): { readonly base: BaseSource | null; readonly note: string | null } {
  const base = sources[wanted]
  return { base, note: base ? null : NO_SOURCE[wanted] }
}
