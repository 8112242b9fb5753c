import { syncHook } from '@lapwing/http'
import type { FastifyReply, FastifyRequest, onErrorAsyncHookHandler, onRequestHookHandler } from 'fastify'
import type { AskOrigin } from './ask-origin.ts'

/** Lets pages of other origins read the gateway's own errors, such as 429, if they can read identity's answers. */
export interface CrossOriginReaders {
  /** Sets the CORS headers for an origin that identity allows. identity's own headers replace them. */
  readonly allow: onRequestHookHandler
  /** Asks identity about the origin of a refused request, if the gateway does not know it. */
  readonly allowError: onErrorAsyncHookHandler
  /** Remembers which origin an answer of identity allows at an address of the table. */
  readonly learn: (address: string, headers: Readonly<Record<string, unknown>>) => void
}

interface CrossOriginOptions {
  /** Origins that are allowed from the start. */
  readonly known: readonly string[]
  readonly ask: AskOrigin
  readonly now?: () => number
}

/** Questions in one window. Anybody can send any origin, so a flood must not reach identity. */
const MAX_QUESTIONS = 10
const WINDOW_MS = 10_000
/** Origins that identity refused in the last minute are not asked about again, as far as there is room. */
const REFUSED_MS = 60_000
const MAX_REFUSED = 1_000

/**
 * Learns origins from identity's answers, because identity alone knows them. Browsers ask identity before a call
 * of another origin, but remember its answer for minutes. So a gateway that has just started can refuse a call of
 * an origin that it does not know. It then asks identity first. While many unknown origins are refused, some
 * pages cannot read why; their next call that identity answers ends that.
 */
export function createCrossOriginReaders({
  known,
  ask,
  now = Date.now,
}: CrossOriginOptions): CrossOriginReaders {
  const origins = new Set(known)
  /** Addresses at which identity allows every origin, without cookies. */
  const open = new Set<string>()
  /** When identity refused each origin, the oldest first. */
  const refused = new Map<string, number>()
  const asking = new Map<string, Promise<void>>()
  let window = { startMs: 0, questions: 0 }

  const readers: CrossOriginReaders = {
    learn(address, { 'access-control-allow-origin': origin }) {
      if (origin === '*') open.add(address)
      // identity repeats an origin only if its list has it, so the set cannot grow without end.
      else if (typeof origin === 'string') origins.add(origin)
    },
    allow: syncHook((request, reply) => {
      setHeaders(request, reply)
    }),
    allowError: async (request, reply) => {
      const { origin } = request.headers
      if (origin === undefined || setHeaders(request, reply)) return
      await question(addressOf(request), origin)
      setHeaders(request, reply)
    },
  }
  return readers

  /** Returns whether the origin is allowed. */
  function setHeaders(request: FastifyRequest, reply: FastifyReply): boolean {
    const { origin } = request.headers
    if (origin === undefined) return false
    if (open.has(addressOf(request))) reply.header('access-control-allow-origin', '*')
    else if (origins.has(origin)) {
      reply.headers({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        vary: 'origin',
      })
    } else return false
    reply.header('access-control-expose-headers', 'retry-after, x-request-id')
    return true
  }

  /** Asks identity about an origin, at most once at a time. Never rejects. */
  async function question(address: string, origin: string): Promise<void> {
    const running = asking.get(origin)
    if (running !== undefined) return running
    const atMs = now()
    if (atMs - (refused.get(origin) ?? Number.NEGATIVE_INFINITY) < REFUSED_MS) return
    if (atMs - window.startMs >= WINDOW_MS) window = { startMs: atMs, questions: 0 }
    if (window.questions === MAX_QUESTIONS) return
    window.questions++
    const answered = ask(address, origin).then(
      headers => {
        readers.learn(address, headers)
        if (headers['access-control-allow-origin'] === undefined) refuse(origin, atMs)
      },
      // identity does not answer. The next refusal asks again.
      () => {},
    )
    asking.set(origin, answered)
    await answered
    asking.delete(origin)
  }

  function refuse(origin: string, atMs: number): void {
    refused.delete(origin)
    refused.set(origin, atMs)
    if (refused.size > MAX_REFUSED) refused.delete(refused.keys().next().value!)
  }
}

function addressOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? ''
}
