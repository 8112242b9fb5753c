import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An object store that a test controls: it accepts a post from any page, as slowly as wanted. */
export interface FakeStore {
  readonly url: string
  readonly posts: readonly FakePost[]
  /** Sets the answers to the next posts: a status, or `cut` to close the connection. */
  answerNext(...answers: (number | 'cut')[]): void
  /** Stops reading and answering until released. */
  hold(): { readonly release: () => void }
  close(): Promise<void>
}

export interface FakePost {
  /** Names of the form's parts, in order. */
  readonly parts: readonly string[]
  readonly fileName: string
  readonly sizeBytes: number
  readonly authorization: string | undefined
}

export async function startFakeStore(): Promise<FakeStore> {
  const posts: FakePost[] = []
  const answers: (number | 'cut')[] = []
  let held: Promise<void> | null = null

  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*')
    response.setHeader('cross-origin-resource-policy', 'cross-origin')
    if (request.method === 'OPTIONS') {
      response.setHeader('access-control-allow-methods', 'POST')
      response.setHeader('access-control-allow-headers', '*')
      return response.writeHead(204).end()
    }
    try {
      const body = await readAll(request, () => held)
      const answer = answers.shift() ?? 204
      if (answer === 'cut') return request.socket.destroy()
      if (answer < 300) posts.push(readForm(body, request.headers.authorization))
      response.writeHead(answer).end(answer < 300 ? '' : '<Error><Code>AccessDenied</Code></Error>')
    } catch {
      // The browser aborted the request.
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts,
    answerNext: (...next) => void answers.push(...next),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return {
        release() {
          held = null
          resolve()
        },
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

async function readAll(request: IncomingMessage, held: () => Promise<void> | null): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) {
    pieces.push(piece as Buffer)
    await held()
  }
  await held()
  return Buffer.concat(pieces)
}

function readForm(body: Buffer, authorization: string | undefined): FakePost {
  const text = body.toString('latin1')
  const parts = [
    ...text.matchAll(/content-disposition: form-data; name="([^"]*)"(?:; filename="([^"]*)")?/gi),
  ]
  const file = parts.find(([, name]) => name === 'file')
  const start = file ? text.indexOf('\r\n\r\n', file.index) + 4 : 0
  const end = text.lastIndexOf('\r\n--')
  return {
    parts: parts.map(([, name]) => name!),
    fileName: file?.[2] ?? '',
    sizeBytes: end - start,
    authorization,
  }
}
