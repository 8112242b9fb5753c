import type { Preview, SeriesName } from './preview.ts'
import { PREVIEW_CHANNELS } from './preview-channels.ts'
import { shortestFloat32 } from './shortest-float32.ts'

/** A preview of `openapi/preview.yaml`: null where a value is not finite. */
export type PreviewJson = Omit<Preview, SeriesName> & Record<SeriesName, (number | null)[]>

/**
 * A preview as a plain object. For a few rows, and for whoever checks an answer; a whole file is
 * written with `stringifyPreview`, whose text holds the same.
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
