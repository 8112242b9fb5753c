import { isDeepStrictEqual } from 'node:util'
import { isSameLap } from '@lapwing/telemetry'
import type { Outcome } from '../client/driver-client.ts'
import type { SessionFile } from '../plan/session-file.ts'
import {
  type BoardFact,
  boardName,
  type Facts,
  type FingerprintFact,
  type LapFact,
  slugsOf,
} from './facts.ts'

/** A file that one driver's client submitted, with the answers it got. */
export interface Submission {
  readonly userId: string
  readonly file: SessionFile
  /** All its upload sessions, answered or not. */
  readonly sessionIds: readonly string[]
  readonly outcomes: readonly Outcome[]
}

/**
 * Returns every violation as a sentence; empty if there is none. Every acknowledged file must be on its board
 * exactly once, an unacknowledged one at most once. The boards must follow from the stored laps.
 */
export function findViolations(submissions: readonly Submission[], facts: Facts): string[] {
  return [
    ...submissions.flatMap(one => wrongAnswers(one, facts)),
    ...wrongLaps(submissions, facts),
    ...filesOfTwoOwners(submissions, facts),
    ...facts.boards.flatMap(board => wrongEntries(board, facts)),
    ...facts.boards.flatMap(wrongRanks),
    ...lapsWithoutBoard(facts),
    ...hiddenLapsOnBoards(facts),
    ...lapsOfTwoOwners(facts),
  ]
}

/**
 * Every answer that a client got must equal the stored outcome, and all answers of a session must be equal.
 */
function wrongAnswers({ userId, file, outcomes }: Submission, { ingests, boards }: Facts): string[] {
  const own = boards.filter(({ board }) => board === boardName(slugsOf(file)))
  return outcomes.flatMap(({ sessionId, status, body }) => {
    const found = ingests.filter(ingest => ingest.sessionId === sessionId)
    const name = `session ${sessionId} of ${userId}, answered ${status} ${answerName(body)}`
    if (found.length !== 1) return [`${name}, has ${found.length} ingests`]
    const ingest = found[0]!
    if (ingest.userId !== userId) return [`${name}, belongs to ${ingest.userId}`]
    const problems: string[] = []
    const isStored = status < 300 ? ingest.state === 'done' : ingest.failureCode === body.code
    if (!isStored) problems.push(`${name}, is ${ingest.state} ${ingest.failureCode ?? ''}`.trim())
    const stored = { ok: true, ingest_id: ingest.ingestId, ...ingest.outcome }
    if (status < 300 && !isDeepStrictEqual(stored, body)) {
      problems.push(`${name}, got ${JSON.stringify(body)}, and is ${JSON.stringify(stored)} now`)
    }
    if (status === 201) problems.push(...missingEntries(name, userId, body, own))
    return problems
  })
}

/** A lap that was answered as saved must be the driver's entry, unless a better one is. */
function missingEntries(
  name: string,
  userId: string,
  body: Outcome['body'],
  boards: readonly BoardFact[],
): string[] {
  const which = (body.boards as readonly string[]).includes('complete') ? 'complete' : 'clean'
  const hasEntry = boards
    .filter(board => board.which === which)
    .flatMap(board => board.rows)
    .some(row => row.userId === userId && row.timeMs <= (body.best_lap_time_ms as number))
  return hasEntry ? [] : [`${name}, with ${body.best_lap_time_ms} ms, is not on the board ${which}`]
}

/** A judged file has each of its laps once, as driven. An acknowledged file must be judged. */
function wrongLaps(submissions: readonly Submission[], { ingests, laps }: Facts): string[] {
  const problems: string[] = []
  for (const [content, ones] of groupBy(submissions, one => `${one.userId} ${contentOf(one.file)}`)) {
    const sessions = new Set(ones.flatMap(one => one.sessionIds))
    const ids = new Set(
      ingests.filter(ingest => sessions.has(ingest.sessionId)).map(({ ingestId }) => ingestId),
    )
    const found = laps.filter(lap => ids.has(lap.ingestId) && lap.isCompleted)
    const isAcknowledged = ones.some(one => one.outcomes.some(({ status }) => status < 300))
    if (found.length === 0 && !isAcknowledged) continue
    const driven = ones[0]!.file.laps.map(({ timeMs, isDirty }) => lapName(timeMs, !isDirty))
    const stored = found.map(({ timeMs, isClean }) => lapName(timeMs, isClean))
    if (stored.sort().join() !== driven.sort().join()) {
      problems.push(`file ${content} has the laps ${stored.join(', ')}; driven were ${driven.join(', ')}`)
    }
  }
  return problems
}

/** A file belongs to one account (D-11). */
function filesOfTwoOwners(submissions: readonly Submission[], { ingests, laps }: Facts): string[] {
  const withLaps = new Set(laps.map(lap => lap.ingestId))
  const ownersOf = (ones: readonly Submission[]) =>
    new Set(
      ones
        .filter(one =>
          ingests.some(ingest => one.sessionIds.includes(ingest.sessionId) && withLaps.has(ingest.ingestId)),
        )
        .map(one => one.userId),
    )
  const problems: string[] = []
  for (const [content, ones] of groupBy(submissions, one => contentOf(one.file))) {
    const owners = ownersOf(ones)
    if (owners.size > 1) problems.push(`file ${content} is of ${[...owners].join(' and ')}`)
    for (const { userId, outcomes } of ones) {
      const isRefused = outcomes.some(({ body }) => body.code === 'upload.belongs_to_another_driver')
      if (isRefused && owners.has(userId)) problems.push(`${userId} was refused a file of their own`)
      if (isRefused && owners.size === 0) problems.push(`${userId} was refused a file that no driver has`)
    }
  }
  return problems
}

/** Each driver's entry is the best of their laps on the board; no other account has an entry. */
function wrongEntries({ board, which, rows }: BoardFact, { laps }: Facts): string[] {
  const problems: string[] = []
  const there = laps.filter(
    lap =>
      lap.board === board && isEligible(lap) && lap.timeMs !== null && (which === 'complete' || lap.isClean),
  )
  const best = new Map<string, LapFact>()
  for (const lap of there) {
    const before = best.get(lap.userId)
    if (before === undefined || isAhead(lap, before)) best.set(lap.userId, lap)
  }
  for (const [userId, lap] of best) {
    const own = rows.filter(row => row.userId === userId)
    const is = own.map(row => `${row.lapId} of ${row.timeMs} ms`).join(' and ') || 'nothing'
    if (own.length !== 1 || own[0]!.lapId !== lap.lapId || own[0]!.timeMs !== lap.timeMs) {
      problems.push(`${which} ${board}: ${userId} has ${is}; their best is ${lap.lapId} of ${lap.timeMs} ms`)
    }
  }
  for (const row of rows) {
    if (!best.has(row.userId))
      problems.push(`${which} ${board}: ${row.userId} has ${row.timeMs} ms and no lap`)
  }
  return problems
}

/** Ranks are 1, 2, 3 by time; the entry that a driver gets from `me` equals the one on the page. */
function wrongRanks({ board, which, rows, total, ranks }: BoardFact): string[] {
  const problems: string[] = []
  const name = `${which} ${board}`
  if (total !== rows.length) problems.push(`${name}: says ${total} drivers and shows ${rows.length}`)
  rows.forEach((row, index) => {
    if (row.rank !== index + 1) problems.push(`${name}: row ${index + 1} has the rank ${row.rank}`)
    if (index > 0 && row.timeMs < rows[index - 1]!.timeMs) problems.push(`${name}: row ${row.rank} is faster`)
  })
  for (const [userId, own] of ranks) {
    const row = rows.find(other => other.userId === userId) ?? null
    if (JSON.stringify(own) !== JSON.stringify(row)) {
      problems.push(`${name}: ${userId} gets ${JSON.stringify(own)}, and the page has ${JSON.stringify(row)}`)
    }
  }
  return problems
}

/** Every lap that counts has a board. */
function lapsWithoutBoard({ laps, boards }: Facts): string[] {
  const known = new Set(boards.map(({ board }) => board))
  return laps
    .filter(lap => isEligible(lap) && !known.has(lap.board))
    .map(lap => `lap ${lap.lapId} of ${lap.userId} has no board ${lap.board}`)
}

/** No board shows a lap that is held for review or was refused (D-26). */
function hiddenLapsOnBoards({ laps, boards }: Facts): string[] {
  const unseen = new Map(laps.filter(lap => lap.counts && !isEligible(lap)).map(lap => [lap.lapId, lap]))
  return boards.flatMap(({ board, which, rows, ranks }) =>
    [...rows, ...ranks.values()]
      .filter(row => row !== null && unseen.has(row.lapId))
      .map(row => `${which} ${board}: shows lap ${row!.lapId}, which is ${unseen.get(row!.lapId)!.review}`),
  )
}

/** No two accounts have the same lap on boards (D-11). */
function lapsOfTwoOwners({ fingerprints, boards }: Facts): string[] {
  const shown = new Set(boards.flatMap(({ rows }) => rows.map(({ lapId }) => lapId)))
  const problems = new Set<string>()
  for (const ones of groupBy(fingerprints, one => one.key).values()) {
    const onBoards = ones.filter(({ lapId }) => shown.has(lapId))
    for (const a of onBoards) {
      for (const b of onBoards) {
        if (a.userId < b.userId && isSame(a, b)) {
          problems.add(`lap ${a.lapId} of ${a.userId} is lap ${b.lapId} of ${b.userId}`)
        }
      }
    }
  }
  return [...problems]
}

function isSame(a: FingerprintFact, b: FingerprintFact): boolean {
  return isSameLap(Buffer.from(a.descriptor, 'hex'), Buffer.from(b.descriptor, 'hex'))
}

function isEligible({ counts, review }: LapFact): boolean {
  return counts && (review === null || review === 'released')
}

function isAhead(a: LapFact, b: LapFact): boolean {
  if (a.timeMs !== b.timeMs) return a.timeMs! < b.timeMs!
  if (a.recordedAt !== b.recordedAt) return a.recordedAt < b.recordedAt
  return a.lapId < b.lapId
}

function contentOf(file: SessionFile): string {
  return JSON.stringify([file.combination.trackId, file.driverId, file.startedAtMs, file.laps])
}

function lapName(timeMs: number | null, isClean: boolean): string {
  return `${timeMs} ms ${isClean ? 'clean' : 'dirty'}`
}

function answerName(body: Outcome['body']): string {
  return String(body.code ?? body.skipped ?? 'saved')
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
