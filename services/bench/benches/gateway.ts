import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@lapwing/dev-servers/free-port'
import { startValkey } from '@lapwing/dev-servers/valkey'
import type { Bench, BenchContext, Line } from '../bench.ts'
import { npmFolder } from '../peers.ts'
import { median, pairedInterval, pairedRatio, rounds } from '../rounds.ts'
import { runWrk } from '../run-wrk.ts'
import { startNginx } from '../start-nginx.ts'
import { type Server, startServer } from '../start-server.ts'

/** Processors: one has the proxy alone, the other everything else. */
const PROXY = 0
const REST = 1

const LOAD = { connections: 64, seconds: 3 }
const IDLE = 10_000
const MIB = 1024 * 1024

/** Measures the gateway against nginx, http-proxy, and its own libraries without any policy. */
export function gatewayBench(install: boolean): Bench {
  return {
    name: 'gateway',
    how:
      'wrk and an nginx that answers 700 bytes on one processor, the proxy alone on the other. The gateway counts ' +
      'limits in a real Valkey.',
    async run(context) {
      const missing = ['nginx', 'wrk', 'taskset'].filter(name => !isInstalled(name))
      if (availableParallelism() < 2) missing.push('a second processor')
      if (missing.length > 0) throw new Error(`it needs ${missing.join(', ')}`)
      const stops: (() => Promise<unknown>)[] = []
      const keep = <T extends { stop(): Promise<unknown> }>(started: T): T => {
        stops.push(() => started.stop())
        return started
      }
      try {
        return await measure(context, install, keep)
      } finally {
        for (const stop of stops.toReversed()) await stop()
      }
    },
  }
}

type Keep = <T extends { stop(): Promise<unknown> }>(started: T) => T

async function measure(context: BenchContext, install: boolean, keep: Keep): Promise<Line[]> {
  const answer = keep(await startNginx(REST, null))
  const redisUrl = await startRedis(context, keep)
  const onProxy = async (script: string, ...args: string[]) =>
    pinned(keep(await startServer(script, args)), PROXY)
  const gateway = await onProxy('serve-policies.ts', answer.url, redisUrl)
  const bare = await onProxy('serve-bare.ts', answer.url)
  const nginx = keep(await startNginx(PROXY, answer.url))
  const folder = await npmFolder(context, ['http-proxy@1.18.1'], install)
  const peer = folder === null ? null : await onProxy(HTTP_PROXY, answer.url, folder)
  const authorization = `Bearer ${await gateway.ask<string>('token')}`

  const open = `${gateway.url}/api/open`
  const lines = [
    await delay(context, open, answer.url),
    ...(await throughput(context, { open, mine: `${gateway.url}/api/mine`, authorization }, [
      { name: 'nginx, one worker', url: nginx.url, atMost: 1 / 0.6 },
      ...(peer === null ? [] : [{ name: 'http-proxy', url: peer.url, atMost: 1 }]),
      { name: 'its libraries alone', url: bare.url, atMost: 1.2 },
    ])),
    await idleConnections(gateway, open),
  ]
  const collector = pinned(keep(await startServer('collect-traces.ts', [])), REST)
  const traced = await onProxy('serve-policies.ts', answer.url, redisUrl, collector.url)
  lines.push(await traces(context, { open, traced: `${traced.url}/api/open` }))
  await traced.stop()
  const gateways = [gateway, await onProxy('serve-policies.ts', answer.url, redisUrl)]
  gateways.push(await onProxy('serve-policies.ts', answer.url, redisUrl))
  return [...lines, await overAdmission(gateways.map(({ url }) => `${url}/api/limited`))]
}

const HTTP_PROXY = join(import.meta.dirname, '../peers/http-proxy.mjs')

/** Median time of an answer at one connection, less that without the gateway. */
async function delay({ rounds: count, log }: BenchContext, open: string, direct: string): Promise<Line> {
  log(`gateway: ${count} rounds at one connection`)
  const at = (url: string) => async () => (await runWrk(REST, url, { ...LOAD, connections: 1 })).medianMs
  await rounds(1, [at(open), at(direct)])
  const [through = [], without = []] = await rounds(count, [at(open), at(direct)])
  const ours = median(through.map((value, round) => value - without[round]!))
  const allowed = 0.25
  return {
    name: 'added to the median answer, one connection',
    unit: 'ms',
    ours,
    peerName: 'allowed',
    peer: allowed,
    ratio: ours / allowed,
    atMost: 1,
  }
}

interface Peer {
  readonly name: string
  readonly url: string
  readonly atMost: number
}

interface Ours {
  readonly open: string
  readonly mine: string
  readonly authorization: string
}

/** Microseconds a request at 64 connections, of the open row and of the one with a session. */
async function throughput(
  { rounds: count, log }: BenchContext,
  { open, mine, authorization }: Ours,
  peers: readonly Peer[],
): Promise<Line[]> {
  log(`gateway: ${count} rounds at ${LOAD.connections} connections`)
  const perRequest =
    (url: string, headers = {}) =>
    async () =>
      1e6 / (await runWrk(REST, url, { ...LOAD, headers })).perSecond
  const subjects = [
    perRequest(open),
    perRequest(mine, { authorization }),
    ...peers.map(({ url }) => perRequest(url)),
  ]
  await rounds(1, subjects)
  const [ofOpen = [], ofMine = [], ...ofPeers] = await rounds(count, subjects)
  const line = (
    name: string,
    ours: readonly number[],
    peerName: string,
    peer: readonly number[],
    atMost: number,
  ) => ({
    name,
    unit: 'µs',
    ours: median(ours),
    peerName,
    peer: median(peer),
    ratio: pairedRatio(ours, peer),
    atMost,
  })
  return [
    ...peers.map(({ name, atMost }, i) =>
      line('a request of an open route', ofOpen, name, ofPeers[i]!, atMost),
    ),
    line('a request with a session', ofMine, 'its libraries alone', ofPeers.at(-1)!, 1.2),
  ]
}

/** Microseconds a request with a trace of each, against the same gateway without traces, in many short rounds. */
async function traces(
  { rounds: count, log }: BenchContext,
  { open, traced }: { readonly open: string; readonly traced: string },
): Promise<Line> {
  const pairs = 4 * count
  log(`gateway: ${pairs} rounds with traces and without`)
  const perRequest = (url: string) => async () => 1e6 / (await runWrk(REST, url, LOAD)).perSecond
  const subjects = [perRequest(traced), perRequest(open)]
  await rounds(1, subjects)
  const [on = [], off = []] = await rounds(pairs, subjects)
  const { low, high } = pairedInterval(on, off)
  return {
    name: `a request with its trace (95 %: ${low.toFixed(3)} to ${high.toFixed(3)})`,
    unit: 'µs',
    ours: median(on),
    peerName: 'without traces',
    peer: median(off),
    ratio: pairedRatio(on, off),
    atMost: null,
  }
}

/** Memory that the gateway grows by with 10,000 clients that have an answer and stay. */
async function idleConnections(gateway: Server, url: string): Promise<Line> {
  const before = await gateway.ask<number>('memory')
  const sockets: Socket[] = []
  try {
    while (sockets.length < IDLE) {
      sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => idleClient(new URL(url))))))
    }
    const ours = ((await gateway.ask<number>('memory')) - before) / MIB
    const allowed = 150
    return {
      name: `memory of ${IDLE} idle connections`,
      unit: 'MiB',
      ours,
      peerName: 'allowed',
      peer: allowed,
      ratio: ours / allowed,
      atMost: 1,
    }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

async function idleClient({ hostname, port, pathname }: URL): Promise<Socket> {
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${pathname} HTTP/1.1\r\nhost: gateway\r\n\r\n`)
  await once(socket, 'data')
  return socket
}

/** Requests that three gateways admit together in a minute, of 1,500 sent to them in parallel. */
async function overAdmission(urls: readonly string[]): Promise<Line> {
  const allowed = 500
  let admitted = 0
  const send = async (i: number) => {
    const answer = await fetch(urls[i % urls.length]!, { headers: { 'x-forwarded-for': '192.0.2.1' } })
    await answer.arrayBuffer()
    if (answer.ok) admitted++
    else if (answer.status !== 429) throw new Error(`${urls[i % urls.length]} answered ${answer.status}`)
  }
  await Promise.all(Array.from({ length: 3 * allowed }, (_, i) => send(i)))
  return {
    name: 'requests that three gateways admit together',
    unit: '',
    ours: admitted,
    peerName: 'the limit',
    peer: allowed,
    ratio: admitted / allowed,
    atMost: 1.01,
  }
}

async function startRedis({ root }: BenchContext, keep: Keep): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-bench-redis-'))
  const port = await freePort()
  const server = await startValkey({ dir, port, throwaway: true, toolsDir: join(root, '.tools') })
  keep({
    async stop() {
      await server.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  })
  return `redis://127.0.0.1:${port}`
}

function pinned(server: Server, processor: number): Server {
  execFileSync('taskset', ['-a', '-c', '-p', String(processor), String(server.pid)], { stdio: 'ignore' })
  return server
}

function isInstalled(command: string): boolean {
  try {
    execFileSync('which', [command], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
