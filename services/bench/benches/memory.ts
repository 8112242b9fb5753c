import { join } from 'node:path'
import type { Bench, BenchContext, Line } from '../bench.ts'
import { bigFile, MIB } from '../big-file.ts'
import { median, rounds } from '../rounds.ts'
import { runProcess } from '../run-process.ts'
import { previewChannels } from './read-columns.ts'

/**
 * Measures the memory for reading a file beyond its columns: file and columns must never be in memory
 * together.
 */
export const memoryBench: Bench = {
  name: 'memory',
  how:
    'Peak resident memory (VmHWM) of a fresh process above what was resident before the file was opened, ' +
    'imports and a read of 1 MiB of telemetry done.',
  async run(context) {
    const small = bigFile(context, 1)
    const hundred = bigFile(context, 100)
    const thousand = bigFile(context, 1024)
    const channels = (await previewChannels(hundred)).join(',')
    const plus12: Goal = { peerName: 'the columns + 12 MiB', allowed: columns => columns + 12, atMost: 1 }
    const columnsAlone: Goal = { peerName: 'the columns', allowed: columns => columns, atMost: 1.12 }
    return [
      await grown(context, "100 MB to the preview's channels", [small, hundred, channels], plus12),
      await grown(context, "1 GB to the preview's channels", [small, thousand, channels], plus12),
      await grown(context, '100 MB to all columns', [small, hundred, 'all'], columnsAlone),
    ]
  },
}

interface Goal {
  readonly peerName: string
  /** MiB. */
  readonly allowed: (columns: number) => number
  readonly atMost: number
}

interface Growth {
  readonly grownBytes: number
  readonly columnBytes: number
}

async function grown(
  context: BenchContext,
  what: string,
  args: readonly string[],
  { peerName, allowed, atMost }: Goal,
): Promise<Line> {
  const name = `memory grown, ${what}`
  if (process.platform !== 'linux') {
    const reason = 'only Linux reports the peak of a process'
    return { name, unit: 'MiB', ours: null, peerName, peer: null, ratio: null, atMost, reason }
  }
  context.log(`memory: ${what}, ${context.rounds} processes`)
  const script = join(import.meta.dirname, '../subjects/grow-memory.ts')
  const command = { command: process.execPath, args: ['--expose-gc', script, ...args] }
  const [growths = []] = await rounds(context.rounds, [() => runProcess<Growth>(command)])
  const ours = median(growths.map(({ grownBytes }) => grownBytes)) / MIB
  const peer = allowed(growths[0]!.columnBytes / MIB)
  return { name, unit: 'MiB', ours, peerName, peer, ratio: ours / peer, atMost }
}
