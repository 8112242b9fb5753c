/**
 * Encodes and decodes the previews of files, as packed columns and as JSON, all compressed with
 * gzip. Prints bytes once, and CPU times a round. Run with `--expose-gc`. Arguments: rounds, paths.
 */
import { gunzipSync, gzipSync } from 'node:zlib'
import { openFileSource } from '@lapwing/files'
import {
  PREVIEW_CHANNELS,
  type Preview,
  previewSession,
  type SeriesName,
  stringifyPreview,
} from '@lapwing/telemetry'
import { decodePreview, encodePreview } from '@lapwing/telemetry/wire'

const [count = '5', ...paths] = process.argv.slice(2)
const SERIES = Object.keys(PREVIEW_CHANNELS) as SeriesName[]

const previews: Preview[] = []
for (const path of paths) {
  const source = openFileSource(path)
  previews.push(await previewSession(source))
  source.close()
}

/** As `JSON.stringify` writes an array of such numbers, float32 with up to 17 digits. */
function plainJson(preview: Preview): string {
  return JSON.stringify(preview, (_key, value) =>
    ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value,
  )
}

function rawColumns(preview: Preview): Buffer {
  return Buffer.concat(
    SERIES.map(
      name => new Uint8Array(preview[name].buffer, preview[name].byteOffset, preview[name].byteLength),
    ),
  )
}

const sizeOf = (messages: readonly Uint8Array[]) =>
  messages.reduce((bytes, each) => bytes + each.byteLength, 0)

function cpuMs(work: () => unknown): number {
  globalThis.gc!()
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

const packed = previews.map(preview => gzipSync(encodePreview(preview)))
const json = previews.map(preview => gzipSync(plainJson(preview)))
const shortJson = previews.map(preview => gzipSync(stringifyPreview(preview)))

const work = {
  encodePacked: () => previews.map(preview => gzipSync(encodePreview(preview))),
  encodeJson: () => previews.map(preview => gzipSync(plainJson(preview))),
  decodePacked: () => packed.map(each => decodePreview(gunzipSync(each))),
  decodeJson: () => json.map(each => JSON.parse(gunzipSync(each).toString())),
  decodeShortJson: () => shortJson.map(each => JSON.parse(gunzipSync(each).toString())),
}
const cpu = Object.fromEntries(Object.keys(work).map(name => [name, [] as number[]]))
for (let round = 0; round < Number(count); round++) {
  for (const [name, each] of Object.entries(work)) cpu[name]!.push(cpuMs(each))
}

const bytes = {
  packed: sizeOf(packed),
  json: sizeOf(json),
  shortJson: sizeOf(shortJson),
  raw: sizeOf(previews.map(preview => gzipSync(rawColumns(preview)))),
}
console.log(JSON.stringify({ bytes, cpu }))
