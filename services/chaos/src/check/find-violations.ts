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

/** What one driver's client brought and was told. */
export interface Brought {
  readonly userId: string
  readonly file: SessionFile
  /** All its upload sessions, answered or not. */
  readonly sessionIds: readonly string[]
  readonly outcomes: readonly Outcome[]
}

/**
 * What must not be, as sentences; none where all is well. Every acknowledged file is on its board
 * exactly once, one that was not acknowledged at most once, and the boards are what their laps make.
 */
export function findViolations(brought: readonly Brought[], facts: Facts): string[] {
  return [
    ...brought.flatMap(one => answersNotKept(one, facts)),
    ...lapsNotAsDriven(brought, facts),
    ...notOneOwner(brought, facts),
    ...facts.boards.flatMap(board => boardNotFromLaps(board, facts)),
    ...facts.boards.flatMap(orderNotKept),
    ...lapsWithoutBoard(facts),
    ...heldOnBoards(facts),
    ...lapsOfTwo(facts),
  ]
}

/** Every answer a client got is the one that stands, and all answers of a session are one. */
function answersNotKept({ userId, file, outcomes }: Brought, { ingests, boards }: Facts): string[] {
  const own = boards.filter(({ board }) => board === boardName(slugsOf(file)))
  return outcomes.flatMap(({ sessionId, status, body }) => {
    const found = ingests.filter(ingest => ingest.sessionId === sessionId)
    const name = `session ${sessionId} of ${userId}, answered ${status} ${answerName(body)}`
    if (found.length !== 1) return [`${name}, has ${found.length} ingests`]
    const ingest = found[0]!
    if (ingest.userId !== userId) return [`${name}, belongs to ${ingest.userId}`]
    const problems: string[] = []
    const isKept = status < 300 ? ingest.state === 'done' : ingest.failureCode === body.code
    if (!isKept) problems.push(`${name}, is ${ingest.state} ${ingest.failureCode ?? ''}`.trim())
    const kept = { ok: true, ingest_id: ingest.ingestId, ...ingest.outcome }
    if (status < 300 && !isDeepStrictEqual(kept, body)) {
      problems.push(`${name}, was told ${JSON.stringify(body)}, and is ${JSON.stringify(kept)} now`)
    }
    if (status === 201) problems.push(...entryNotKept(name, userId, body, own))
    return problems
  })
}

/** A lap that was said to be saved is the driver's entry, or a better one is. */
function entryNotKept(
  name: string,
  userId: string,
  body: Outcome['body'],
  boards: readonly BoardFact[],
): string[] {
  const which = (body.boards as readonly string[]).includes('complete') ? 'complete' : 'clean'
  const stands = boards
    .filter(board => board.which === which)
    .flatMap(board => board.rows)
    .some(row => row.userId === userId && row.timeMs <= (body.best_lap_time_ms as number))
  return stands ? [] : [`${name}, with ${body.best_lap_time_ms} ms, is not on the board ${which}`]
}

/** A file that was judged has each of its laps once, as it was driven; an acknowledged one was judged. */
function lapsNotAsDriven(brought: readonly Brought[], { ingests, laps }: Facts): string[] {
  const problems: string[] = []
  for (const [content, ones] of groupBy(brought, one => `${one.userId} ${contentOf(one.file)}`)) {
    const sessions = new Set(ones.flatMap(one => one.sessionIds))
    const ids = new Set(
      ingests.filter(ingest => sessions.has(ingest.sessionId)).map(({ ingestId }) => ingestId),
    )
    const found = laps.filter(lap => ids.has(lap.ingestId) && lap.isCompleted)
    const isAcknowledged = ones.some(one => one.outcomes.some(({ status }) => status < 300))
    if (found.length === 0 && !isAcknowledged) continue
    const driven = ones[0]!.file.laps.map(({ timeMs, isDirty }) => lapName(timeMs, !isDirty))
    const kept = found.map(({ timeMs, isClean }) => lapName(timeMs, isClean))
    if (kept.sort().join() !== driven.sort().join()) {
      problems.push(`file ${content} has the laps ${kept.join(', ')}; driven were ${driven.join(', ')}`)
    }
  }
  return problems
}

/** No file has two accounts (D-11). */
function notOneOwner(brought: readonly Brought[], { ingests, laps }: Facts): string[] {
  const withLaps = new Set(laps.map(lap => lap.ingestId))
  const ownersOf = (ones: readonly Brought[]) =>
    new Set(
      ones
        .filter(one =>
          ingests.some(ingest => one.sessionIds.includes(ingest.sessionId) && withLaps.has(ingest.ingestId)),
        )
        .map(one => one.userId),
    )
  const problems: string[] = []
  for (const [content, ones] of groupBy(brought, one => contentOf(one.file))) {
    const owners = ownersOf(ones)
    if (owners.size > 1) problems.push(`file ${content} is of ${[...owners].join(' and ')}`)
    for (const { userId, outcomes } of ones) {
      const isRefused = outcomes.some(({ body }) => body.code === 'upload.belongs_to_another_driver')
      if (isRefused && owners.has(userId)) problems.push(`${userId} was refused a file of their own`)
      if (isRefused && owners.size === 0) problems.push(`${userId} was refused a file that is nobody's`)
    }
  }
  return problems
}

/** Each driver's entry is the best of their laps there, and nobody else has one. */
function boardNotFromLaps({ board, which, rows }: BoardFact, { laps }: Facts): string[] {
  const problems: string[] = []
  const there = laps.filter(
    lap =>
      lap.board === board && mayStand(lap) && lap.timeMs !== null && (which === 'complete' || lap.isClean),
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

/** Ranks are 1, 2, 3 by time; what a driver is told of their own place is what the page says. */
function orderNotKept({ board, which, rows, total, ranks }: BoardFact): string[] {
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
      problems.push(
        `${name}: ${userId} is told ${JSON.stringify(own)}, and the page says ${JSON.stringify(row)}`,
      )
    }
  }
  return problems
}

/** A lap that counts has a board to be on. */
function lapsWithoutBoard({ laps, boards }: Facts): string[] {
  const known = new Set(boards.map(({ board }) => board))
  return laps
    .filter(lap => mayStand(lap) && !known.has(lap.board))
    .map(lap => `lap ${lap.lapId} of ${lap.userId} has no board ${lap.board}`)
}

/** Nobody but its driver sees a lap that is held for review or was refused (D-26). */
function heldOnBoards({ laps, boards }: Facts): string[] {
  const unseen = new Map(laps.filter(lap => lap.counts && !mayStand(lap)).map(lap => [lap.lapId, lap]))
  return boards.flatMap(({ board, which, rows, ranks }) =>
    [...rows, ...ranks.values()]
      .filter(row => row !== null && unseen.has(row.lapId))
      .map(row => `${which} ${board}: shows lap ${row!.lapId}, which is ${unseen.get(row!.lapId)!.review}`),
  )
}

/** No two accounts have the same lap on boards (D-11). */
function lapsOfTwo({ fingerprints, boards }: Facts): string[] {
  const shown = new Set(boards.flatMap(({ rows }) => rows.map(({ lapId }) => lapId)))
  const problems = new Set<string>()
  for (const ones of groupBy(fingerprints, one => one.key).values()) {
    const standing = ones.filter(({ lapId }) => shown.has(lapId))
    for (const a of standing) {
      for (const b of standing) {
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

function mayStand({ counts, review }: LapFact): boolean {
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
