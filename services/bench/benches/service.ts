import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, BenchContext, Line } from '../bench.ts'
import { bigFile } from '../big-file.ts'
import { type PostedFile, postFile } from '../post-file.ts'
import { median, pairedRatio, rounds } from '../rounds.ts'
import { type Server, startServer } from '../start-server.ts'

/** Compares the preview of 100 MB by the service behind the gateway with copying the file the same way. */
export const serviceBench: Bench = {
  name: 'service',
  how:
    'Wall time from before the request until the last byte of the answer, over loopback and one gateway; ' +
    'the peer is a service behind the same gateway that pipes the same request to a file.',
  async run(context) {
    const path = bigFile(context, 100)
    const folder = join(context.root, '.lapwing', 'bench', 'under-way')
    mkdirSync(folder, { recursive: true })
    const servers: Server[] = []
    const start = async (...args: Parameters<typeof startServer>) => {
      const server = await startServer(...args)
      servers.push(server)
      return server
    }
    try {
      const previewEnv = { TMPDIR: folder, PREVIEW_RATE_LIMIT_PER_MINUTE: '100000' }
      const preview = await start('serve-preview.ts', [], previewEnv)
      const copy = await start('serve-copy.ts', [folder])
      const gateway = await start('serve-gateway.ts', [preview.url, copy.url])
      return await measure(context, path, preview, gateway)
    } finally {
      for (const server of servers.toReversed()) await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

interface Delay {
  readonly p99Ms: number
  readonly maxMs: number
}

const PACKED = { accept: 'application/x-protobuf', 'accept-encoding': 'gzip' }
const JSON_ANSWER = { accept: 'application/json', 'accept-encoding': 'gzip' }

async function measure(
  { log, rounds: count }: BenchContext,
  path: string,
  preview: Server,
  gateway: Server,
): Promise<Line[]> {
  log(`service: ${count} rounds of 3 uploads of 100 MB`)
  const delays: Delay[] = []
  const copyFile = () => postFile(`${gateway.url}/api/v1/copy`, path, {})
  const askPreview = async (headers: Readonly<Record<string, string>>): Promise<PostedFile> => {
    await preview.ask('start')
    const posted = await postFile(`${gateway.url}/api/v1/preview`, path, headers)
    delays.push(await preview.ask<Delay>('stop'))
    if (!posted.contentType.startsWith(headers.accept!)) throw new Error(`got ${posted.contentType}`)
    return posted
  }
  const subjects = [copyFile, () => askPreview(PACKED), () => askPreview(JSON_ANSWER)]
  // Warms up: code is loaded and compiled, connections are open.
  await rounds(WARM_UP_ROUNDS, subjects)
  delays.length = 0
  const [copied = [], packed = [], json = []] = (await rounds(count, subjects)).map(each =>
    each.map(({ ms }) => ms),
  )
  const line = (name: string, ours: number[], atMost: number | null): Line => ({
    name,
    unit: 'ms',
    ours: median(ours),
    peerName: 'copying it to a file',
    peer: median(copied),
    ratio: pairedRatio(ours, copied),
    atMost,
  })
  const p99Ms = median(delays.map(delay => delay.p99Ms))
  return [
    line('100 MB to the preview, packed', packed, 1.5),
    line('100 MB to the preview, JSON', json, null),
    {
      name: 'event-loop delay p99 meanwhile',
      unit: 'ms',
      ours: p99Ms,
      peerName: 'allowed',
      peer: 100,
      ratio: p99Ms / 100,
      atMost: 1,
    },
  ]
}

const WARM_UP_ROUNDS = 2
