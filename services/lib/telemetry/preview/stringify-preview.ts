import type { Preview, PreviewSeries, SeriesName } from './preview.ts'
import { PREVIEW_CHANNELS } from './preview-channels.ts'
import { shortestFloat32 } from './shortest-float32.ts'

/**
 * Returns a preview as the JSON text of `openapi/preview.yaml`: each series an array of numbers, null for
 * non-finite values. Floats have as many digits as a float32 needs, without loss. A file of 100 MB has
 * millions of numbers, so they pass through one small reused array.
 */
export function stringifyPreview(preview: Preview): string {
  return [...previewTexts(preview)].join('')
}

/** Yields the same text in pieces of about one series, so that the caller can send each early. */
export function* previewTexts(preview: Preview): Generator<string> {
  let before = '{'
  for (const name of SERIES) {
    yield `${before}"${name}":[${joinNumbers(preview[name])}]`
    before = ','
  }
  const rest = (['laps', 'meta', 'debug'] as const).map(name => `"${name}":${JSON.stringify(preview[name])}`)
  yield `${before}${rest.join(',')}}`
}

const SERIES = Object.keys(PREVIEW_CHANNELS) as SeriesName[]

const CHUNK = 4096

function joinNumbers(values: PreviewSeries[SeriesName]): string {
  const isFloat32 = values instanceof Float32Array
  const texts: string[] = []
  let chunk: number[] = []
  for (let from = 0; from < values.length; from += CHUNK) {
    const count = Math.min(CHUNK, values.length - from)
    if (chunk.length !== count) chunk = new Array<number>(count).fill(0)
    for (let i = 0; i < count; i++) {
      chunk[i] = isFloat32 ? shortestFloat32(values[from + i]!) : values[from + i]!
    }
    // JSON.stringify writes NaN as null.
    texts.push(JSON.stringify(chunk).slice(1, -1))
  }
  return texts.join(',')
}
