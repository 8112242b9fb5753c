import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sharedIbt, sharedIbtMissing } from '@lapwing/testing/shared-ibt.ts'
import type { Bench, BenchContext, Line } from '../bench.ts'
import { bigFile } from '../big-file.ts'
import { median, pairedRatio } from '../rounds.ts'
import { runProcess } from '../run-process.ts'

/** Compares the preview answer as packed columns with the same answer as JSON. */
export const wireBench: Bench = {
  name: 'wire',
  how:
    'Previews compressed with gzip at its usual level, in one process that runs all of them each round; ' +
    'CPU time includes gzip and gunzip. Rounds begin once the code is warm; cold is its very first run, once.',
  async run(context) {
    const recorded = recordedFiles()
    const generated = await linesOf(context, 'generated 100 MB', [bigFile(context, 100)])
    if (recorded === null) return generated
    return [...(await linesOf(context, `${recorded.length} recorded files`, recorded)), ...generated]
  },
}

/** Returns the readable files of the folder of recorded ones; null if it is not beside the project. */
function recordedFiles(): string[] | null {
  if (sharedIbtMissing) return null
  return ['real', 'laps'].flatMap(folder =>
    readdirSync(sharedIbt(folder))
      .filter(name => name.endsWith('.ibt'))
      .map(name => join(sharedIbt(folder), name)),
  )
}

type Form = 'packed' | 'json' | 'shortJson' | 'raw'

type Times = Readonly<
  Record<'encodePacked' | 'encodeJson' | 'decodePacked' | 'decodeJson' | 'decodeShortJson', number>
>

/** The output of `send-previews.ts`. */
interface Sent {
  readonly bytes: Readonly<Record<Form, number>>
  readonly first: Times
  readonly warm: readonly Times[]
}

async function linesOf(
  { rounds, log }: BenchContext,
  what: string,
  paths: readonly string[],
): Promise<Line[]> {
  log(`wire: ${what}, ${rounds} rounds`)
  const script = join(import.meta.dirname, '../subjects/send-previews.ts')
  const { bytes, first, warm } = await runProcess<Sent>({
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
    times: readonly Times[],
    [ours, peer]: readonly [keyof Times, keyof Times],
    peerName: string,
    atMost: number | null,
  ): Line => {
    const ourMs = times.map(round => round[ours])
    const peerMs = times.map(round => round[peer])
    return {
      name: `${name}, ${what}`,
      unit: 'ms CPU',
      ours: median(ourMs),
      peerName,
      peer: median(peerMs),
      ratio: pairedRatio(ourMs, peerMs),
      atMost,
    }
  }
  return [
    size('json', 'JSON', 0.22),
    size('raw', 'the arrays as they are', 0.4),
    size('shortJson', 'JSON, shortest float32', null),
    time('decoding', warm, ['decodePacked', 'decodeJson'], 'JSON', 0.15),
    time('decoding', warm, ['decodePacked', 'decodeShortJson'], 'JSON, shortest float32', null),
    time('decoding cold', [first], ['decodePacked', 'decodeJson'], 'JSON', null),
    time('encoding', warm, ['encodePacked', 'encodeJson'], 'JSON', 0.2),
  ]
}
