import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sharedIbt, sharedIbtMissing } from '@lapwing/testing/shared-ibt.ts'
import type { Bench, BenchContext, Line } from '../bench.ts'
import { bigFile } from '../big-file.ts'
import { median, pairedRatio } from '../rounds.ts'
import { runProcess } from '../run-process.ts'

/** The preview answer as packed columns, against the same answer as JSON. */
export const wireBench: Bench = {
  name: 'wire',
  how:
    'Previews compressed with gzip at its usual level, in one process that runs all of them each round; ' +
    'CPU time includes gzip and gunzip.',
  async run(context) {
    const recorded = recordedFiles()
    const generated = await linesOf(context, 'generated 100 MB', [bigFile(context, 100)])
    if (recorded === null) return generated
    return [...(await linesOf(context, `${recorded.length} recorded files`, recorded)), ...generated]
  },
}

/** Sound files of the folder of recorded ones; null where it is not beside the project. */
function recordedFiles(): string[] | null {
  if (sharedIbtMissing) return null
  return ['real', 'laps'].flatMap(folder =>
    readdirSync(sharedIbt(folder))
      .filter(name => name.endsWith('.ibt'))
      .map(name => join(sharedIbt(folder), name)),
  )
}

type Form = 'packed' | 'json' | 'shortJson' | 'raw'

interface Sent {
  readonly bytes: Readonly<Record<Form, number>>
  readonly cpu: Readonly<
    Record<'encodePacked' | 'encodeJson' | 'decodePacked' | 'decodeJson' | 'decodeShortJson', number[]>
  >
}

async function linesOf(
  { rounds, log }: BenchContext,
  what: string,
  paths: readonly string[],
): Promise<Line[]> {
  log(`wire: ${what}, ${rounds} rounds`)
  const script = join(import.meta.dirname, '../subjects/send-previews.ts')
  const { bytes, cpu } = await runProcess<Sent>({
    command: process.execPath,
    args: ['--expose-gc', script, String(rounds), ...paths],
  })
  const size = (peer: Exclude<Form, 'packed'>, peerName: string, atMost: number | null): Line => ({
    name: `bytes packed, ${what}`,
    unit: 'KiB',
    ours: bytes.packed / 1024,
    peerName,
    peer: bytes[peer] / 1024,
    ratio: bytes.packed / bytes[peer],
    atMost,
  })
  const time = (
    name: string,
    ours: number[],
    peerName: string,
    peer: number[],
    atMost: number | null,
  ): Line => ({
    name: `${name}, ${what}`,
    unit: 'ms CPU',
    ours: median(ours),
    peerName,
    peer: median(peer),
    ratio: pairedRatio(ours, peer),
    atMost,
  })
  return [
    size('json', 'JSON', 0.22),
    size('raw', 'the arrays as they are', 0.4),
    size('shortJson', 'JSON, shortest float32', null),
    time('decoding', cpu.decodePacked, 'JSON', cpu.decodeJson, 0.15),
    time('decoding', cpu.decodePacked, 'JSON, shortest float32', cpu.decodeShortJson, null),
    time('encoding', cpu.encodePacked, 'JSON', cpu.encodeJson, 0.2),
  ]
}
