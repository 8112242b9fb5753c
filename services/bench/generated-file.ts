import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openFileSource } from '@lapwing/files'
import type { BenchContext } from './bench.ts'

/**
 * Returns the path of a generated telemetry file in `.lapwing/bench`. Writes it once. Each call reads it, so
 * that it is in the page cache when it is measured.
 */
export function generatedFile({ root, log }: BenchContext, name: string, chunks: () => Chunks): string {
  const folder = join(root, '.lapwing', 'bench')
  const path = join(folder, name)
  if (!existsSync(path)) {
    log(`writing .lapwing/bench/${name}`)
    mkdirSync(folder, { recursive: true })
    const unfinished = `${path}.part`
    write(unfinished, chunks())
    renameSync(unfinished, path)
  }
  readThrough(path)
  return path
}

type Chunks = Iterable<Uint8Array>

function write(path: string, chunks: Chunks): void {
  const descriptor = openSync(path, 'w')
  try {
    for (const chunk of chunks) writeSync(descriptor, chunk)
  } finally {
    closeSync(descriptor)
  }
}

function readThrough(path: string): void {
  const source = openFileSource(path)
  const block = new Uint8Array(1024 * 1024)
  for (let offset = 0; offset < source.size; ) offset += source.read(offset, block)
  source.close()
}
