import type { Preview, SeriesName } from './preview.ts'
import { PREVIEW_CHANNELS } from './preview-channels.ts'
import { shortestFloat32 } from './shortest-float32.ts'

/** A preview of `openapi/preview.yaml`; non-finite values are null. */
export type PreviewJson = Omit<Preview, SeriesName> & Record<SeriesName, (number | null)[]>

/**
 * Returns a preview as a plain object, for a few rows or a check of an answer. Use `stringifyPreview` for a
 * whole file; it writes the same values.
 */
export function previewToJson(preview: Preview): PreviewJson {
  const series = Object.fromEntries(SERIES.map(name => [name, toNumbers(preview[name])])) as Record<
    SeriesName,
    (number | null)[]
  >
  return { ...series, laps: preview.laps, meta: preview.meta, debug: preview.debug }
}

const SERIES = Object.keys(PREVIEW_CHANNELS) as SeriesName[]

function toNumbers(values: Preview[SeriesName]): (number | null)[] {
  const isFloat32 = values instanceof Float32Array
  return Array.from(values, value => {
    if (!Number.isFinite(value)) return null
    return isFloat32 ? shortestFloat32(value) : value
  })
}
