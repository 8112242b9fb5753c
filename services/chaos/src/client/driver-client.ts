import { setTimeout as delay } from 'node:timers/promises'
import { createPrincipalSigner, IDENTITY_HEADER } from '@lapwing/auth'
import { boardQuery, slugsOf } from '../check/facts.ts'
import { type SessionFile, sessionFile } from '../plan/session-file.ts'
import type { Leave, Program, Step } from '../plan/wave-plan.ts'
import { multipart } from './form.ts'
import { type Sent, send } from './send.ts'

/** Where a client finds what it calls. */
export interface Addresses {
  readonly upload: string
  readonly ingest: string
  readonly leaderboard: string
  /** By which the client reaches the store, whatever the form says. */
  readonly store: string
}

/** A call that came to its end: what the client may rely on from then on. */
export interface Outcome {
  readonly sessionId: string
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** How a client's try ended. */
export type Ending =
  | { readonly kind: 'judged'; readonly outcome: Outcome }
  /** Refused for good at a step, with the code of the problem. */
  | { readonly kind: 'refused'; readonly step: Step; readonly status: number; readonly code: string }
  /** The page says that it failed and offers to try again. */
  | { readonly kind: 'failed'; readonly step: Step; readonly why: string }
  | { readonly kind: 'gone'; readonly step: Step }

/** One driver's page with one file: it remembers what is done, as the page does. */
export interface DriverClient {
  /** Everything the client was told about its sessions, each answer of its own. */
  readonly outcomes: readonly Outcome[]
  /** Every upload session it was given. */
  readonly sessionIds: readonly string[]
  /** Tries to bring the file onto the board, going on where it was. Never rejects. */
  bring(program: Pick<Program, 'leaves' | 'completeCalls' | 'ingestCalls'>): Promise<Ending>
  /** Forgets what is done: the file is dropped anew. */
  startOver(): void
}

/** The page's own figures: before each retry, for calls, for judging, between two looks. */
const RETRY_WAITS_MS = [1_000, 2_000, 4_000]
const CALL_MS = 30_000
const INGEST_MS = 60_000
const LOOK_EVERY_MS = 2_000
/** The page waits longer; here nothing may be stuck for as long as this. */
const LONGEST_JUDGING_MS = 60_000

export function createDriverClient(options: {
  readonly userId: string
  readonly file: SessionFile
  readonly addresses: Addresses
  readonly internalKey: Uint8Array
}): DriverClient {
  const { userId, addresses } = options
  const file = sessionFile(options.file)
  const query = boardQuery(slugsOf(options.file))
  const sign = createPrincipalSigner(options.internalKey)
  const outcomes: Outcome[] = []
  const sessionIds: string[] = []
  let done: Done = nothingDone

  const call = async (request: Call): Promise<Sent> =>
    send({
      method: request.body === undefined ? 'GET' : 'POST',
      url: request.url,
      headers: {
        [IDENTITY_HEADER]: await sign({ userId, sessionId: `session-${userId}`, roles: [] }),
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(request.body === undefined ? {} : { body: Buffer.from(JSON.stringify(request.body)) }),
      withinMs: request.withinMs ?? CALL_MS,
      leaves: request.leaves ?? null,
    })

  async function init(leaves: Leave['at'] | null): Promise<Sent> {
    const sent = await call({
      url: `${addresses.upload}/api/v1/upload/init`,
      body: { filename: 'session.ibt', size: file.byteLength, contentType: 'application/octet-stream' },
      leaves,
    })
    if (sent.kind === 'answered' && sent.status === 200) {
      done = { ...nothingDone, ticket: sent.body as unknown as Ticket }
      sessionIds.push(done.ticket!.sessionId)
    }
    return sent
  }

  async function post({ url, fields }: Ticket, leaves: Leave['at'] | null): Promise<Sent> {
    const { contentType, body } = multipart(fields, file)
    const sent = await send({
      method: 'POST',
      url: `${addresses.store}${new URL(url).pathname}`,
      headers: { 'content-type': contentType },
      body,
      withinMs: CALL_MS,
      leaves,
    })
    if (sent.kind === 'answered' && sent.status < 300) done = { ...done, isPosted: true }
    return sent
  }

  async function complete({ sessionId, key }: Ticket, leaves: Leave['at'] | null): Promise<Sent> {
    const sent = await call({
      url: `${addresses.upload}/api/v1/upload/complete`,
      body: { sessionId, key },
      leaves,
    })
    if (sent.kind === 'answered' && sent.status === 200) done = { ...done, isChecked: true }
    return sent
  }

  async function ingest({ sessionId, key }: Ticket, leaves: Leave['at'] | null): Promise<Sent> {
    let sent = await call({
      url: `${addresses.ingest}/api/laps/ingest-best-from-session`,
      body: { sessionId, key },
      withinMs: INGEST_MS,
      leaves,
    })
    const givenUpMs = performance.now() + LONGEST_JUDGING_MS
    while (sent.kind === 'answered' && sent.status === 202) {
      if (performance.now() > givenUpMs) return { kind: 'failed', why: 'stuck' }
      await delay(LOOK_EVERY_MS)
      sent = await call({ url: `${addresses.ingest}/api/laps/ingests/${sent.body.ingest_id}` })
    }
    if (isFinal(sent)) {
      outcomes.push({ sessionId, status: sent.status, body: sent.body })
    }
    return sent
  }

  /** The page and the driver's own place, as the page asks for them then; what it shows meanwhile is kept in caches. */
  async function look(contextId: unknown): Promise<void> {
    if (typeof contextId !== 'number') return
    const boards = `${addresses.leaderboard}/api/leaderboards`
    for (const board of ['complete', 'clean']) {
      await call({ url: `${boards}?${query}&board=${board}&limit=5&offset=0` })
      await call({ url: `${boards}/${contextId}/me?board=${board}` })
    }
  }

  /** What is not done yet, in its order; the last answer, or the first that is no success. */
  async function attempt(program: Parameters<DriverClient['bring']>[0]): Promise<[Step, Sent]> {
    const leavesAt = (step: Step) => (program.leaves?.step === step ? program.leaves.at : null)
    let sent: Sent
    if (done.ticket === null) {
      sent = await init(leavesAt('init'))
      if (!isSuccess(sent)) return ['init', sent]
    }
    const ticket = done.ticket!
    if (!done.isPosted) {
      sent = await post(ticket, leavesAt('post'))
      if (!isSuccess(sent)) return ['post', sent]
    }
    if (!done.isChecked) {
      sent = await atOnce(program.completeCalls, () => complete(ticket, leavesAt('complete')))
      if (!isSuccess(sent)) return ['complete', sent]
    }
    return ['ingest', await atOnce(program.ingestCalls, () => ingest(ticket, leavesAt('ingest')))]
  }

  return {
    outcomes,
    sessionIds,
    async bring(program) {
      for (let retry = 0; ; retry++) {
        const [step, sent] = await attempt(program)
        if (sent.kind === 'gone') return { kind: 'gone', step }
        if (sent.kind === 'answered') {
          const { status, body } = sent
          if (isSuccess(sent)) {
            await look(body.context_id)
            return { kind: 'judged', outcome: { sessionId: done.ticket!.sessionId, status, body } }
          }
          const code = String(body.code)
          if (status >= 500) return { kind: 'failed', step, why: `${status} ${code}` }
          // What was refused is begun anew.
          done = nothingDone
          return { kind: 'refused', step, status, code }
        }
        if (sent.why === 'stuck' || retry === RETRY_WAITS_MS.length)
          return { kind: 'failed', step, why: sent.why }
        await delay(RETRY_WAITS_MS[retry])
      }
    },
    startOver() {
      done = nothingDone
    },
  }
}

interface Call {
  readonly url: string
  readonly body?: object
  readonly withinMs?: number
  readonly leaves?: Leave['at'] | null
}

interface Ticket {
  readonly sessionId: string
  readonly key: string
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

interface Done {
  readonly ticket: Ticket | null
  readonly isPosted: boolean
  readonly isChecked: boolean
}

const nothingDone: Done = { ticket: null, isPosted: false, isChecked: false }

function isSuccess(sent: Sent): boolean {
  return sent.kind === 'answered' && sent.status < 300
}

/** An answer that says what became of the file, be it refused. */
function isFinal(sent: Sent): sent is Extract<Sent, { kind: 'answered' }> {
  return sent.kind === 'answered' && (isSuccess(sent) || FINAL_CODES.has(String(sent.body.code)))
}

const FINAL_CODES: ReadonlySet<string> = new Set([
  'upload.belongs_to_another_driver',
  'ingest.file_replaced',
  'ingest.unreadable',
  'ingest.unidentified',
])

/** The same call several times at once; the page goes on with the first of them. */
async function atOnce(times: number, work: () => Promise<Sent>): Promise<Sent> {
  const [first] = await Promise.all(Array.from({ length: times }, work))
  return first!
}
