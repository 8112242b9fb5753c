import type { components } from '@lapwing/contracts/ingest'
import type { PreviewMeta } from '@lapwing/telemetry'
import { fieldsOf, text } from '#shared/api/shapes.ts'

/** Simulator, track, layout and car of a board (D-4), with the names that people read. */
export type Combination = Readonly<components['schemas']['Combination']>

export const isCombination = fieldsOf<Combination>({
  sim: text,
  track_slug: text,
  layout: text,
  car_slug: text,
  track_label: text,
  car_label: text,
})

/** Returns the combination of a session; null if the file does not name its track or car. */
export function combinationOf(meta: PreviewMeta): Combination | null {
  const { sim, track_slug, layout, car_slug } = meta
  if (track_slug === '' || layout === '' || car_slug === '') return null
  return {
    sim,
    track_slug,
    layout,
    car_slug,
    track_label: meta.track_label || track_slug,
    car_label: meta.car_label || car_slug,
  }
}

/** Compares slugs only: a renamed track keeps its board. */
export function isSameBoard(a: Combination, b: Combination): boolean {
  return (
    a.sim === b.sim && a.track_slug === b.track_slug && a.layout === b.layout && a.car_slug === b.car_slug
  )
}
