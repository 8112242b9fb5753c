import { join } from 'node:path'
import { openFileSource } from '@lapwing/files'
import { LAP_CHANNELS, openIbt, PREVIEW_CHANNELS } from '@lapwing/telemetry'
import type { Bench, BenchContext, Line } from '../bench.ts'
import { bigFile } from '../big-file.ts'
import type { Peer, PeerName } from '../peers.ts'
import { median, pairedRatio, rounds } from '../rounds.ts'
import { type Command, runProcess } from '../run-process.ts'

/** A comparison with a peer: its name, and the share of its CPU time that we may use. */
interface Goal {
  readonly peer: PeerName | 'reading the bytes'
  readonly atMost: number
}

/** Compares reading all columns of 100 MB, and the columns of a preview, with other libraries. */
export function readColumnsBench(findPeers: () => Promise<Readonly<Record<PeerName, Peer>>>): Bench {
  return {
    name: 'read',
    how:
      'CPU time, user and system, that a fresh process measures of itself, imports done, from before it ' +
      'opens a file of 100 MiB until the columns are in memory; the file is in the page cache.',
    async run(context) {
      const peers = await findPeers()
      const path = bigFile(context, 100)
      return [
        ...(await compare(context, peers, path, 'all', [
          { peer: 'numpy', atMost: 0.85 },
          { peer: 'libibt', atMost: 0.6 },
        ])),
        ...(await compare(context, peers, path, await previewChannels(path), [
          { peer: 'numpy', atMost: 1.15 },
          { peer: 'pyirsdk', atMost: 1 / 5 },
          { peer: 'ibt-telemetry', atMost: 1 / 50 },
          { peer: 'reading the bytes', atMost: 2.2 },
        ])),
      ]
    },
  }
}

/** Returns the channels of the file that a preview reads: its series, and those that laps are judged by. */
export async function previewChannels(path: string): Promise<string[]> {
  const source = openFileSource(path)
  const { variablesByName } = await openIbt(source)
  source.close()
  const names = [...Object.values(PREVIEW_CHANNELS), ...LAP_CHANNELS.map(({ name }) => name)]
  return [...new Set(names)].filter(name => variablesByName.has(name))
}

interface Reading {
  readonly cpuMs: number
  readonly columns?: number
  readonly rows?: number
}

async function compare(
  context: BenchContext,
  peers: Readonly<Record<PeerName, Peer>>,
  path: string,
  names: readonly string[] | 'all',
  goals: readonly Goal[],
): Promise<Line[]> {
  const what = names === 'all' ? 'all columns' : `the preview's ${names.length} channels`
  const commands = goals.map(({ peer }) =>
    peer === 'reading the bytes' ? subject('read-bytes.ts', path) : (peers[peer]?.(path, names) ?? null),
  )
  const present = commands.filter(command => command !== null)
  context.log(`read: ${what}, ${context.rounds} rounds of ${present.length + 1} processes`)
  const ours = subject('read-columns.ts', path, names === 'all' ? 'all' : names.join(','))
  const [own = [], ...others] = await rounds(
    context.rounds,
    [ours, ...present].map(command => () => runProcess<Reading>(command)),
  )
  const ownMs = own.map(({ cpuMs }) => cpuMs)
  return goals.map(({ peer, atMost }, i) => {
    const readings = commands[i] === null ? null : others[present.indexOf(commands[i]!)]!
    if (readings !== null) assertSameRows(peer, own[0]!, readings[0]!)
    const peerMs = readings?.map(({ cpuMs }) => cpuMs) ?? null
    return {
      name: `100 MB to ${what}`,
      unit: 'ms CPU',
      ours: median(ownMs),
      peerName: peer,
      peer: peerMs && median(peerMs),
      ratio: peerMs && pairedRatio(ownMs, peerMs),
      atMost,
      ...(peerMs === null && { reason: `${peer} is not on this machine` }),
    }
  })
}

function subject(name: string, ...args: string[]): Command {
  return { command: process.execPath, args: [join(import.meta.dirname, '../subjects', name), ...args] }
}

/** Throws if the peer read other rows than we did. */
function assertSameRows(peer: string, ours: Reading, theirs: Reading): void {
  if (theirs.rows === undefined) return
  if (theirs.rows !== ours.rows) throw new Error(`${peer} read ${theirs.rows} rows, we read ${ours.rows}.`)
}
