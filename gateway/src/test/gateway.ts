import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createLogger } from '@lapwing/http'
import type { FastifyInstance } from 'fastify'
import { buildApp, type Deps } from '../app.ts'
import { loadConfig } from '../config.ts'
import type { Route } from '../routes.ts'
import { openUpstream } from '../upstream.ts'

export interface TestGateway {
  readonly app: FastifyInstance
  readonly url: string
  readonly port: number
  /** Every line logged so far. */
  readonly logs: readonly Record<string, unknown>[]
}

/** Starts a gateway on a free port in front of `upstream`. It closes with the test. */
export async function startGateway(
  t: TestContext,
  upstream: URL,
  options: { env?: Record<string, string>; folder?: string } & Partial<Deps> = {},
): Promise<TestGateway> {
  const { env, folder = '/nowhere', ...deps } = options
  const logs: Record<string, unknown>[] = []
  const preview = openUpstream('preview', upstream)
  const app = await buildApp({
    config: loadConfig({ FRONTEND_DIR: folder, ...env }),
    logger: createLogger('gateway', 'trace', { write: line => logs.push(JSON.parse(line)) }),
    upstreams: { preview },
    findPrincipal: null,
    redis: null,
    ...deps,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.after(async () => {
    app.server.closeAllConnections()
    await app.close()
    await preview.close()
  })
  const { port } = app.server.address() as AddressInfo
  return { app, url: `http://127.0.0.1:${port}`, port, logs }
}

/** Returns a route with wide limits; a test replaces the fields that it is about. */
export function aRoute(fields: Partial<Route> = {}): Route {
  return {
    prefix: '/v1/preview',
    upstream: 'preview',
    protocol: 'product',
    access: 'public',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    bodyLimit: 1024 * 1024,
    body: 'stream',
    timeoutMs: 10_000,
    concurrency: 1_000,
    rateLimit: { budget: 'test', max: 1_000_000, windowMs: 60_000 },
    ...fields,
  }
}

/** Creates a folder with these files. It is removed with the test. */
export async function folderOf(
  t: TestContext,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lapwing-gateway-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}
