import { aDrivenFile } from '@lapwing/ingest/test/a-driven-file'
import type { BenchContext } from './bench.ts'
import { generatedFile } from './generated-file.ts'

/** Samples of the file, at least. */
export const MANY_ROWS = 300_000

const LAPS = 70

/** Returns the path of a simulated session of over 70 laps with over 300,000 samples. */
export function manyLapsFile(context: BenchContext): string {
  return generatedFile(context, 'many-driven-laps.ibt', () => [
    aDrivenFile({ seeds: Array.from({ length: LAPS }, (_, lap) => lap + 1) }),
  ])
}
