/**
 * Encodes and decodes the previews of files, as packed columns and as JSON, all compressed with gzip. Prints
 * the bytes, the CPU times of the very first round, and the CPU times of each warm round. Run it with
 * `--expose-gc`. Arguments: rounds, paths.
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
/** Warm-up rounds: the engine's JSON code is already compiled, ours is not. */
const WARM_UP_ROUNDS = 10

const SERIES = Object.keys(PREVIEW_CHANNELS) as SeriesName[]

const previews: Preview[] = []
for (const path of paths) {
  const source = openFileSource(path)
  previews.push(await previewSession(source))
  source.close()
}

/** Returns JSON like `JSON.stringify` of such arrays: float32 with up to 17 digits. */
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
type Times = Record<keyof typeof work, number>

function measureRound(): Times {
  return Object.fromEntries(Object.entries(work).map(([name, each]) => [name, cpuMs(each)])) as Times
}

const first = measureRound()
for (let i = 0; i < WARM_UP_ROUNDS; i++) {
  work.encodePacked()
  work.decodePacked()
}
const warm = Array.from({ length: Number(count) }, measureRound)

const bytes = {
  packed: sizeOf(packed),
  json: sizeOf(json),
  shortJson: sizeOf(shortJson),
  raw: sizeOf(previews.map(preview => gzipSync(rawColumns(preview)))),
}
console.log(JSON.stringify({ bytes, first, warm }))
