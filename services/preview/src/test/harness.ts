import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import contract from '@lapwing/contracts/preview.json' with { type: 'json' }
import { createTempFolder } from '@lapwing/files/temp-folder'
import { createLogger } from '@lapwing/http'
import { checkAnswer } from '@lapwing/testing/check-answer.ts'
import { until } from '@lapwing/testing/until.ts'
import { service } from '../app.ts'
import { type Config, loadConfig } from '../config.ts'
import { quiet } from '../deps.ts'
import { createPreviewPool, type PreviewPool } from '../previews/preview-pool.ts'
import { aSession } from './a-session.ts'
import { form, type Part } from './form.ts'

export interface Service {
  readonly port: number
  readonly pool: PreviewPool
  /** Returns the whole log, at the level `trace`. */
  readonly log: () => string
  /** Returns the names of the temporary files. */
  readonly filesUnderWay: () => string[]
  /** Folder of the temporary files. */
  readonly tempDir: string
  readonly close: () => Promise<void>
}

/** Starts the service on a free port, with one thread and its own folder. Closes it after the test. */
export async function startPreview(
  t: { after(fn: () => Promise<void>): void },
  overrides: Partial<Config> & { readonly workerModule?: URL } = {},
): Promise<Service> {
  const parent = mkdtempSync(join(tmpdir(), 'lapwing-preview-test-'))
  const { workerModule, ...fields } = overrides
  const config: Config = {
    ...loadConfig({ PREVIEW_WORKERS: '1', PREVIEW_RATE_LIMIT_PER_MINUTE: '100000' }),
    ...fields,
    tempDir: parent,
  }
  const lines: string[] = []
  const logger = createLogger('preview', 'trace', { write: line => lines.push(line) })
  const files = await createTempFolder(parent, 'preview')
  const pool = createPreviewPool({
    workers: config.workers,
    maxWaiting: config.maxUploads,
    workerHeapMb: config.workerHeapMb,
    timeoutMs: config.readTimeoutMs,
    ...(workerModule && { workerModule }),
  })
  const { trustedProxies } = config
  const app = service.build({ config, trustedProxies, logger: quiet(logger), files, pool })
  await app.listen({ host: '127.0.0.1', port: 0 })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= app
      .close()
      .then(() => pool.close())
      .then(() => files.remove())
    return closed
  }
  t.after(async () => {
    await close()
    rmSync(parent, { recursive: true, force: true })
  })
  return {
    port: (app.server.address() as AddressInfo).port,
    pool,
    log: () => lines.join(''),
    filesUnderWay: () => readdirSync(files.path),
    tempDir: files.path,
    close,
  }
}

export interface Answer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
  readonly body: string
}

export const previewPath = '/api/v1/preview'

/** Posts a form and returns the answer. Checks it against the contract if the path is that of the service. */
export async function post(
  service: Pick<Service, 'port'>,
  parts: readonly Part[],
  { headers = {}, path = previewPath }: { headers?: Record<string, string>; path?: string } = {},
): Promise<Answer> {
  const { boundary, chunks } = form(parts)
  return send(service, chunks, {
    path,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
  })
}

/**
 * Sends the chunks unchanged, one after another. Resolves with the answer, even if it precedes the last
 * chunk.
 */
export async function send(
  service: Pick<Service, 'port'>,
  chunks: Iterable<Uint8Array>,
  {
    method = 'POST',
    path = previewPath,
    headers = {},
  }: { method?: string; path?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const outgoing = request({ port: service.port, method, path, headers, agent: false })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve)
    // The service may close the connection after an early answer, while chunks are still sent.
    outgoing.on('error', reject)
  })
  let isAnswered = false
  answered.then(
    () => {
      isAnswered = true
    },
    () => undefined,
  )
  for (const chunk of chunks) {
    if (isAnswered || outgoing.destroyed) break
    // A copy, because the generators of test files reuse their buffer.
    if (!outgoing.write(Buffer.from(chunk))) {
      await Promise.race([new Promise(resolve => outgoing.once('drain', resolve)), answered])
    }
  }
  outgoing.end()
  const incoming = await answered
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part)
  outgoing.destroy()
  const bytes = Buffer.concat(parts)
  const answer = {
    statusCode: incoming.statusCode!,
    headers: incoming.headers,
    bytes,
    body: bytes.toString('utf8'),
  }
  if ([previewPath, '/api/preview'].includes(path) && method === 'POST' && !headers['accept-encoding']) {
    checkAnswer(contract, 'createPreview', answer)
  }
  return answer
}

/** Returns the error code of a problem. */
export function codeOf(answer: Pick<Answer, 'body'>): string {
  return JSON.parse(answer.body).code
}

/** Ten seconds of driving, which the service reads sooner than whole laps. */
const short = aSession({ rows: 600 })

/** Checks that no temporary file is left and that the service still reads a valid file. */
export async function checkUnharmed(service: Pick<Service, 'port' | 'filesUnderWay'>): Promise<void> {
  await until(() => service.filesUnderWay().length === 0, 'no file is left')
  const answer = await post(service, [{ name: 'file', fileName: 'session.ibt', content: short }])
  assert.equal(answer.statusCode, 200, answer.body.slice(0, 300))
  await until(() => service.filesUnderWay().length === 0, 'no file is left')
}
