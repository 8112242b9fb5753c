import { setTimeout as delay } from 'node:timers/promises'
import { Agent, buildConnector, errors } from 'undici'
import { type Answer, CALL_WITHIN_MS, type Call, type Http } from '../steps/http.ts'
import type { Recorder } from './recorder.ts'

/** The connections of all simulated clients. */
export interface Clients {
  /**
   * Returns what the steps of one arrival use. Its first call is measured from its scheduled start, so that a
   * late start of the runner counts too.
   */
  readonly arriving: (recorder: Recorder, scheduledAtMs: number) => Http
  /** For the preparation, which is not measured. */
  readonly unmeasured: Http
  readonly close: () => Promise<void>
}

interface ClientsOptions {
  /** Most connections to each server. */
  readonly connections: number
  /**
   * Sends a request once more if its connection had served others and ends without a byte of its answer, as browsers do.
   * The counts name each.
   */
  readonly sendsAgain?: boolean
}

/** Opens connections as they are needed. Stores no cookie. */
export function createClients({ connections, sendsAgain = false }: ClientsOptions): Clients {
  const agent = new Agent({ connections, pipelining: 1, connect: createConnector() })
  const httpOf = (
    measured: (call: Call, answer: Answer, sentBytes: number) => void,
    onAgain: (call: Call) => void = () => {},
  ): Http => ({
    async send(call) {
      const answer = await send(agent, call, sendsAgain ? () => onAgain(call) : null)
      measured(call, answer, call.body?.length ?? 0)
      return answer
    },
    wait: async ms => {
      await delay(ms)
    },
    base64: text => btoa(text),
    now: () => Date.now(),
  })
  return {
    arriving(recorder, scheduledAtMs) {
      let fromMs: number | null = scheduledAtMs
      const http = httpOf(
        (call, answer, sentBytes) => {
          recorder.count(`${call.name} ${describe(answer)}`)
          recorder.count('bytes sent', sentBytes)
          recorder.count('bytes received', answer.bytes)
        },
        call => recorder.count(`${call.name} sent again`),
      )
      return {
        ...http,
        async send(call) {
          const startMs = fromMs ?? performance.now()
          fromMs = null
          const answer = await http.send(call)
          recorder.record('call', call.name, performance.now() - startMs)
          return answer
        },
      }
    },
    unmeasured: httpOf(() => {}),
    close: () => agent.close(),
  }
}

/** Returns the status, and the code of an error that has one: `503 gateway.overloaded`. */
function describe({ status, text }: Answer): string {
  if (status < 400) return String(status || 'no answer')
  const code = /"(?:code|error_type)":"([a-z_.]+)"/.exec(text())?.[1]
  return code === undefined ? String(status) : `${status} ${code}`
}

/** `onAgain` is called before the request is sent again; null if that must not be. */
async function send(
  agent: Agent,
  { method, url, headers, body, withinMs = CALL_WITHIN_MS }: Call,
  onAgain: (() => void) | null,
): Promise<Answer> {
  const { origin, pathname, search } = new URL(url)
  const request = () =>
    agent.request({
      origin,
      path: `${pathname}${search}`,
      method,
      headers: { ...headers },
      body: body ?? null,
      headersTimeout: withinMs,
      bodyTimeout: withinMs,
      signal: AbortSignal.timeout(withinMs),
    })
  try {
    const answer = await request().catch(error => {
      if (onAgain === null || !wasUsedBefore(error)) throw error
      onAgain()
      return request()
    })
    const isText = answer.headers['content-encoding'] === undefined && isJson(answer.headers['content-type'])
    const pieces: Buffer[] = []
    let bytes = 0
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (isText) pieces.push(piece)
    }
    const { statusCode: status, headers: received } = answer
    const text = Buffer.concat(pieces).toString()
    return { status, header: name => received[name]?.toString(), text: () => text, bytes }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { status: 0, header: () => undefined, text: () => why, bytes: 0 }
  }
}

/** Errors of connections that had served a request. undici passes an error of the system on without its socket. */
const endsOfUsed = new WeakSet<Error>()

/** Returns undici's connector, with a note of each error of a connection that had served a request. */
function createConnector(): buildConnector.connector {
  const connect = buildConnector({ timeout: 10_000 })
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      // Before undici's own listener.
      socket.once('error', error => {
        if (socket.bytesRead > 0) endsOfUsed.add(error)
      })
      callback(null, socket)
    })
}

/** Returns whether a request got no answer because the server closed or reset a connection that had served others. */
function wasUsedBefore(error: unknown): boolean {
  if (error instanceof errors.SocketError) return (error.socket?.bytesRead ?? 0) > 0
  return error instanceof Error && endsOfUsed.has(error)
}

function isJson(type: string | string[] | undefined): boolean {
  return /^application\/(?:problem\+)?json/.test(type?.toString() ?? '')
}
