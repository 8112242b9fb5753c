import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import type { PackIndex } from '../k6/scripts/k6-files.ts'
import type { RunName } from '../scenarios/world.ts'
import { simulateFile } from './simulate-file.ts'

/** Writes files of a run into one pack, about 0.5 MB each, and its index beside it. */
export function writePack(path: string, run: RunName, files: number): void {
  const ends: number[] = []
  const pack = openSync(path, 'w')
  try {
    let end = 0
    for (let file = 0; file < files; file++) {
      end += writeSync(pack, simulateFile(run, file))
      ends.push(end)
    }
  } finally {
    closeSync(pack)
  }
  writeFileSync(`${path}.json`, `${JSON.stringify({ run, ends } satisfies PackIndex)}\n`)
}
