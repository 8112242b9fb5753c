import type { Reference } from '@lapwing/telemetry/compare'
import { ApiError } from '#shared/api/problem.ts'
import type { BoardRow } from '#shared/boards/board-row.ts'
import { type Combination, isSameBoard } from '#shared/boards/combination.ts'
import type { Notify } from '#shared/notify/notify.ts'
import { type SessionKeeper, userIdOf } from '#shared/session/session-keeper.ts'
import { createStore, type Readable } from '#shared/store/store.ts'
import type { ExternalLap } from './external-lap.ts'
import { keepLatest } from './keep-latest.ts'

export interface CompareState {
  readonly isOn: boolean
  /** Where the reference lap comes from. */
  readonly source: 'session' | 'external'
  /** First row of the session's lap that was chosen; null for the fastest other one. */
  readonly sessionRow: number | null
  readonly external: ExternalLap | null
  /** Id of the lap that is on its way. */
  readonly loading: string | null
  /** The board is being asked who is ahead. */
  readonly isCatching: boolean
  /** Why the lap asked for is not here. */
  readonly problem: string | null
  /** Ids of laps that were asked for and are not given out. */
  readonly refused: ReadonlySet<string>
}

/** Where a lap was asked for: that is where it is said if it does not come. */
type AskedFrom = 'card' | 'board'

/** Compare mode: whether it is on, and with which lap. */
export interface CompareStore extends Readable<CompareState> {
  /** False where nobody is signed in: it is then turned on once somebody is, unless the wish is dropped. */
  turnOn(): boolean
  turnOff(): void
  /** Whoever wanted to compare does not want to sign in for it. */
  cancelRequest(): void
  /** Another file is shown, or none (null). Of the last one only a reference that fits the new one stays. */
  setSession(combination: Combination | null): void
  chooseSource(source: CompareState['source']): void
  chooseSessionLap(rowStart: number): void
  /** Whether laps of a board can be compared with the file that is shown. */
  canUse(combination: Combination): boolean
  /** Takes a lap of a board as the reference and turns compare mode on. False where that did not work. */
  use(row: BoardRow, combination: Combination, from: AskedFrom): Promise<boolean>
  /** Takes the lap that `findAhead` answers, of the board of the file that is shown. */
  catchAhead(findAhead: FindAhead): Promise<void>
  clear(): void
  dismissProblem(): void
}

interface CompareDeps {
  readonly session: Pick<SessionKeeper, 'get' | 'subscribe'>
  readonly fetchReference: (lapId: string) => Promise<Reference>
  /** Remembers over the way to a provider's page and back that compare mode was wanted. */
  readonly wantCompare: (wanted: boolean) => void
  readonly notify: Notify
}

/** The lap to catch, among those that are not refused; null where nobody is ahead. */
export type FindAhead = (refused: ReadonlySet<string>) => Promise<BoardRow | null>

/** Laps that are asked for until one is given out. */
const MOST_TRIES = 4

/** Laps of boards that stay at hand, each up to 1.6 MB. */
const MAX_KEPT = 8

const off: CompareState = {
  isOn: false,
  source: 'session',
  sessionRow: null,
  external: null,
  loading: null,
  isCatching: false,
  problem: null,
  refused: new Set(),
}

/** Why a lap that stands on a board is not given out; the service does not tell which. */
export const NOT_SHARED = 'Its driver does not share this lap, or it is gone.'

export function createCompareStore({
  session,
  fetchReference,
  wantCompare,
  notify,
}: CompareDeps): CompareStore {
  const { get, subscribe, patch } = createStore(off)
  const references = keepLatest(MAX_KEPT, fetchReference)
  let board: Combination | null = null
  let isRequested = false
  let userId = userIdOf(session.get())
  /** Counts what makes an answer under way come too late: another lap asked for, a sign-out, a clear. */
  let turn = 0

  session.subscribe(() => {
    const before = userId
    userId = userIdOf(session.get())
    if (userId !== before && before !== null) {
      turn++
      references.clear()
      patch(off)
    }
    if (userId !== null && isRequested) {
      cancelRequest()
      patch({ isOn: true })
    }
  })

  function cancelRequest() {
    if (!isRequested) return
    isRequested = false
    wantCompare(false)
  }

  const canUse = (combination: Combination) => board !== null && isSameBoard(board, combination)

  function fail(error: unknown, from: AskedFrom, lapId?: string) {
    const isRefused = lapId !== undefined && error instanceof ApiError && error.status === 404
    const said = error instanceof ApiError && error.isSentence ? error.message : undefined
    const why = isRefused ? NOT_SHARED : said
    if (isRefused) patch({ refused: new Set([...get().refused, lapId]) })
    if (from === 'board') notify.error('Failed to load reference lap.', { detail: why })
    const problem = from === 'card' ? notLoaded(why) : null
    patch({ loading: null, isCatching: false, problem })
  }

  async function use(row: BoardRow, combination: Combination, from: AskedFrom): Promise<boolean> {
    if (userId === null || !canUse(combination)) return false
    const mine = ++turn
    patch({ loading: row.lap_id, isCatching: false, problem: null })
    try {
      const { facts, track } = await references.get(row.lap_id)
      if (mine !== turn) return false
      if (!canUse(facts.combination)) throw new Error('The lap is of another board.')
      const external = {
        lapId: row.lap_id,
        name: row.display_name,
        timeMs: track.timeMs,
        combination: facts.combination,
        track,
      }
      patch({ isOn: true, source: 'external', external, loading: null })
      notify.success(`Loaded reference lap from ${external.name}`)
      return true
    } catch (error) {
      if (mine === turn) fail(error, from, row.lap_id)
      return false
    }
  }

  return {
    get,
    subscribe,
    turnOn() {
      if (userId === null) {
        isRequested = true
        wantCompare(true)
        return false
      }
      patch({ isOn: true })
      return true
    },
    turnOff() {
      turn++
      patch({ isOn: false, loading: null, isCatching: false, problem: null })
    },
    cancelRequest,
    setSession(combination) {
      board = combination
      turn++
      const { external } = get()
      const stays = external !== null && canUse(external.combination)
      patch({
        sessionRow: null,
        loading: null,
        isCatching: false,
        problem: null,
        refused: off.refused,
        ...(stays ? {} : { external: null, source: 'session' }),
      })
    },
    chooseSource: source => patch({ source, problem: null }),
    chooseSessionLap: sessionRow => patch({ sessionRow }),
    canUse,
    use,
    async catchAhead(findAhead) {
      const combination = board
      if (userId === null || combination === null) return
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const mine = ++turn
        patch({ isCatching: true, loading: null, problem: null })
        try {
          const row = await findAhead(get().refused)
          if (mine !== turn) return
          if (row === null) {
            // Whoever there is does not share their lap.
            const areRefused = get().refused.size > 0
            patch({
              isCatching: false,
              problem: areRefused ? notLoaded(NOT_SHARED) : null,
            })
            if (!areRefused) notify.info('There is no lap ahead of yours to catch.')
            return
          }
          await use(row, combination, 'card')
          // The next one, where this one is not given out.
          if (!get().refused.has(row.lap_id)) return
        } catch (error) {
          if (mine === turn) fail(error, 'card')
          return
        }
      }
    },
    clear() {
      turn++
      patch({ external: null, source: 'session', loading: null, isCatching: false, problem: null })
      notify.success('Reference lap cleared')
    },
    dismissProblem: () => patch({ problem: null }),
  }
}

function notLoaded(why = ''): string {
  return `Could not load reference lap. ${why}`.trim()
}
