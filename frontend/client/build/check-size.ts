import { gzipSync } from 'node:zlib'
import { build, type Rollup } from 'vite'
import { viteOptions } from './vite-options.ts'

/** Bytes of gzip that a page loads with the session and passwords, at most. */
const MOST_BYTES = 12_000

const options = viteOptions()
const result = (await build({ ...options, build: { ...options.build, write: false } })) as Rollup.RollupOutput
const chunks = new Map(
  result.output.flatMap(file => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])),
)
const loaded = new Set(['index.js'])
for (const name of loaded) for (const imported of chunks.get(name)?.imports ?? []) loaded.add(imported)
const size = [...loaded].reduce((sum, name) => sum + gzipSync(chunks.get(name)!.code, { level: 9 }).length, 0)
console.log(`The root of the package has ${size} bytes.`)
if (size > MOST_BYTES) {
  console.error(`The root of the package has ${size} bytes (gzip), the limit is ${MOST_BYTES}.`)
  process.exitCode = 1
}
