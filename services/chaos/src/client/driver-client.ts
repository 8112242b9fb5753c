import { setTimeout as delay } from 'node:timers/promises'
import { createPrincipalSigner, IDENTITY_HEADER } from '@lapwing/auth'
import { boardQuery, slugsOf } from '../check/facts.ts'
import { type SessionFile, sessionFile } from '../plan/session-file.ts'
import type { Leave, Program, Step } from '../plan/wave-plan.ts'
import { multipart } from './form.ts'
import { type Sent, send } from './send.ts'

/** Addresses that a client calls. */
export interface Addresses {
  readonly upload: string
  readonly ingest: string
  readonly leaderboard: string
  /** The store's address for the client; the form's own address is ignored. */
  readonly store: string
}

/** A final answer: the client may rely on it from then on. */
export interface Outcome {
  readonly sessionId: string
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** How a client's try ended. */
export type Ending =
  | { readonly kind: 'judged'; readonly outcome: Outcome }
  /** Permanently refused at a step, with the code of the problem. */
  | { readonly kind: 'refused'; readonly step: Step; readonly status: number; readonly code: string }
  /** The page shows a failure and offers Retry. */
  | { readonly kind: 'failed'; readonly step: Step; readonly why: string }
  | { readonly kind: 'gone'; readonly step: Step }

/** One driver's page with one file. Like the page, it remembers which steps are done. */
export interface DriverClient {
  /** Every final answer that the client got. */
  readonly outcomes: readonly Outcome[]
  /** Every upload session that the client got. */
  readonly sessionIds: readonly string[]
  /** Submits the file, beginning with the first step that is not done. Never rejects. */
  submit(program: Pick<Program, 'leaves' | 'completeCalls' | 'ingestCalls'>): Promise<Ending>
  /** Forgets the done steps, as if the file was dropped again. */
  startOver(): void
}

/**
 * The page's own figures: the waits before each retry, time-outs of calls and of judging, and the polling
 * interval.
 */
const RETRY_WAITS_MS = [1_000, 2_000, 4_000]
const CALL_MS = 30_000
const INGEST_MS = 60_000
const POLL_EVERY_MS = 2_000
/** Shorter than in the page: no job may be stuck for this long here. */
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
      await delay(POLL_EVERY_MS)
      sent = await call({ url: `${addresses.ingest}/api/laps/ingests/${sent.body.ingest_id}` })
    }
    if (isFinal(sent)) {
      outcomes.push({ sessionId, status: sent.status, body: sent.body })
    }
    return sent
  }

  /** Reads the page of the board and the driver's own entry, like the page does after a judged file. */
  async function readBoards(contextId: unknown): Promise<void> {
    if (typeof contextId !== 'number') return
    const boards = `${addresses.leaderboard}/api/leaderboards`
    for (const board of ['complete', 'clean']) {
      await call({ url: `${boards}?${query}&board=${board}&limit=5&offset=0` })
      await call({ url: `${boards}/${contextId}/me?board=${board}` })
    }
  }

  /** Runs the steps that are not done, in order. Returns the last answer, or the first unsuccessful one. */
  async function attempt(program: Parameters<DriverClient['submit']>[0]): Promise<[Step, Sent]> {
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
      sent = await inParallel(program.completeCalls, () => complete(ticket, leavesAt('complete')))
      if (!isSuccess(sent)) return ['complete', sent]
    }
    return ['ingest', await inParallel(program.ingestCalls, () => ingest(ticket, leavesAt('ingest')))]
  }

  return {
    outcomes,
    sessionIds,
    async submit(program) {
      for (let retry = 0; ; retry++) {
        const [step, sent] = await attempt(program)
        if (sent.kind === 'gone') return { kind: 'gone', step }
        if (sent.kind === 'answered') {
          const { status, body } = sent
          if (isSuccess(sent)) {
            await readBoards(body.context_id)
            return { kind: 'judged', outcome: { sessionId: done.ticket!.sessionId, status, body } }
          }
          const code = String(body.code)
          if (status >= 500) return { kind: 'failed', step, why: `${status} ${code}` }
          // A refused file starts again from the first step.
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

/** Whether the answer is a final one: the outcome of the file, or its refusal. */
function isFinal(sent: Sent): sent is Extract<Sent, { kind: 'answered' }> {
  return sent.kind === 'answered' && (isSuccess(sent) || FINAL_CODES.has(String(sent.body.code)))
}

const FINAL_CODES: ReadonlySet<string> = new Set([
  'upload.belongs_to_another_driver',
  'ingest.file_replaced',
  'ingest.unreadable',
  'ingest.unidentified',
])

/**
 * Sends the same call several times in parallel. Returns the first call's answer, like the page, which
 * ignores the others.
 */
async function inParallel(times: number, work: () => Promise<Sent>): Promise<Sent> {
  const [first] = await Promise.all(Array.from({ length: times }, work))
  return first!
}
