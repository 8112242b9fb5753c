import type { Preview, PreviewSeries, SeriesName } from './preview.ts'
import { PREVIEW_CHANNELS } from './preview-channels.ts'
import { shortestFloat32 } from './shortest-float32.ts'

/**
 * A preview as the JSON text of `openapi/preview.yaml`: each series an array of numbers, null where
 * a value is not finite. No number loses anything: floats are written with the digits they need as
 * float32. A hundred megabytes of telemetry have millions of numbers, so they pass through one small
 * array and not through an array of their own.
 */
export function stringifyPreview(preview: Preview): string {
  return [...previewTexts(preview)].join('')
}

/** The same text in pieces of about one series, for whoever can use each while the next is made. */
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
    // JSON has no NaN: it becomes null by itself.
    texts.push(JSON.stringify(chunk).slice(1, -1))
  }
  return texts.join(',')
}
