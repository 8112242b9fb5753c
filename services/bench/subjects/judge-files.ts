/**
 * Judges a file repeatedly like ingest's threads do, with nothing around it. Arguments: path, times, and
 * `hash` to hash its bytes first. Prints the milliseconds per file, after as many warm-up runs.
 */
import { createHash } from 'node:crypto'
import { openFileSource } from '@lapwing/files'
import { judgeFile } from '@lapwing/ingest/judge-file'

const [path = '', times = '1', before = ''] = process.argv.slice(2)
const block = new Uint8Array(1024 * 1024)

async function judgeOnce(): Promise<void> {
  const source = openFileSource(path)
  const hash = createHash('sha256')
  for (let offset = 0; before === 'hash' && offset < source.size; ) {
    const filled = source.read(offset, block)
    hash.update(block.subarray(0, filled))
    offset += filled
  }
  await judgeFile(source, { sha256: hash.digest(), userId: 'bench' })
  source.close()
}

async function judgeAll(): Promise<void> {
  for (let time = 0; time < Number(times); time++) await judgeOnce()
}

await judgeAll()
const begin = performance.now()
await judgeAll()
console.log(JSON.stringify({ ms: (performance.now() - begin) / Number(times) }))
