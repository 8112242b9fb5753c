import { type SessionKeeper, userIdOf } from '@lapwing/identity-client/session-keeper'
import type { LapTrack, Reference } from '@lapwing/telemetry/compare'
import { ApiError, sentenceOf } from '#shared/api/problem.ts'
import type { BoardRow } from '#shared/boards/board-row.ts'
import { type Combination, isSameBoard } from '#shared/boards/combination.ts'
import type { Notify } from '#shared/notify/notify.ts'
import { createStore, type Readable } from '#shared/store/store.ts'
import { keepLatest } from './keep-latest.ts'

/** A lap of a board that is the reference. */
export interface ExternalLap {
  readonly lapId: string
  /** The driver's name. */
  readonly name: string
  readonly timeMs: number
  readonly combination: Combination
  readonly track: LapTrack
}

export interface CompareState {
  readonly isOn: boolean
  /** The origin of the reference lap. */
  readonly source: 'session' | 'external'
  /** First row of the chosen lap of the session, or its ideal lap; null for the fastest other lap. */
  readonly sessionRow: number | 'ideal' | null
  readonly external: ExternalLap | null
  /** Id of the lap that is loading. */
  readonly loading: string | null
  /** The driver ahead is being looked up. */
  readonly isCatching: boolean
  /** Why the requested lap could not be loaded. */
  readonly problem: string | null
  /** Ids of requested laps that are not shared. */
  readonly refused: ReadonlySet<string>
}

/** The place of the request. A failure is shown there. */
type AskedFrom = 'card' | 'board'

/** A lap to load, with the name to show. */
type NamedLap = Pick<BoardRow, 'lap_id' | 'display_name'>

/** Compare mode: whether it is on, and its reference lap. */
export interface CompareStore extends Readable<CompareState> {
  /** Turns compare mode on. Without a session it returns false and remembers the request until the driver signs in. */
  turnOn(): boolean
  turnOff(): void
  /** Forgets that request. */
  cancelRequest(): void
  /** Sets the board of the shown file; null without a file. A reference of another board is dropped. */
  setSession(combination: Combination | null): void
  chooseSource(source: CompareState['source']): void
  chooseSessionLap(rowStart: number | 'ideal'): void
  /** Returns whether laps of a board can be compared with the shown file. */
  canUse(combination: Combination): boolean
  /** Loads a lap of a board as the reference and turns compare mode on. Resolves with false if that fails. */
  use(row: NamedLap, combination: Combination, from: AskedFrom): Promise<boolean>
  /** Loads the lap that `find` returns from the shown file's board. `nothing` is shown if there is none. */
  catchLap(find: FindLap, nothing: string): Promise<void>
  clear(): void
  dismissProblem(): void
}

interface CompareDeps {
  readonly session: Pick<SessionKeeper, 'get' | 'subscribe'>
  readonly fetchReference: (lapId: string) => Promise<Reference>
  /** Stores the request over the visit to a provider's page. */
  readonly wantCompare: (wanted: boolean) => void
  readonly notify: Notify
}

/** Finds a lap to compare with among those that are not refused; null if there is none. */
export type FindLap = (refused: ReadonlySet<string>) => Promise<NamedLap | null>

/** Laps to request before giving up. */
const MOST_TRIES = 4

/** Cached laps of boards, each up to 1.6 MB. */
const MAX_KEPT = 8

/** No lap is loading. */
const idle = { loading: null, isCatching: false, problem: null } as const
const noExternal = { external: null, source: 'session' } as const
const off: CompareState = { ...idle, ...noExternal, isOn: false, sessionRow: null, refused: new Set() }

/** Why a lap on a board is not shared. The service does not say which of the two it is. */
export const NOT_SHARED = 'This lap is not shared, or it is gone.'

export function createCompareStore(deps: CompareDeps): CompareStore {
  const { session, fetchReference, wantCompare, notify } = deps
  const { get, subscribe, patch } = createStore(off)
  const references = keepLatest(MAX_KEPT, fetchReference)
  let board: Combination | null = null
  let isRequested = false
  let userId = userIdOf(session.get())
  /** Counts requests, sign-outs and clears. An answer to an earlier count is ignored. */
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
    const why = isRefused ? NOT_SHARED : sentenceOf(error, undefined)
    if (isRefused) patch({ refused: new Set([...get().refused, lapId]) })
    if (from === 'board') notify.error('Failed to load reference lap.', { detail: why })
    const problem = from === 'card' ? notLoaded(why) : null
    patch({ loading: null, isCatching: false, problem })
  }

  async function use(row: NamedLap, combination: Combination, from: AskedFrom): Promise<boolean> {
    if (userId === null || !canUse(combination)) return false
    const mine = ++turn
    patch({ ...idle, loading: row.lap_id })
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
      patch({ ...idle, isOn: false })
    },
    cancelRequest,
    setSession(combination) {
      board = combination
      turn++
      const { external } = get()
      const stays = external !== null && canUse(external.combination)
      patch({ ...idle, sessionRow: null, refused: off.refused, ...(stays ? {} : noExternal) })
    },
    chooseSource: source => patch({ source, problem: null }),
    chooseSessionLap: sessionRow => patch({ sessionRow }),
    canUse,
    use,
    async catchLap(find, nothing) {
      const combination = board
      if (userId === null || combination === null) return
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const mine = ++turn
        patch({ ...idle, isCatching: true })
        try {
          const row = await find(get().refused)
          if (mine !== turn) return
          if (row === null) {
            // The drivers do not share their laps.
            const areRefused = get().refused.size > 0
            patch({ isCatching: false, problem: areRefused ? notLoaded(NOT_SHARED) : null })
            if (!areRefused) notify.info(nothing)
            return
          }
          await use(row, combination, 'card')
          // Tries the next lap if this one is not shared.
          if (!get().refused.has(row.lap_id)) return
        } catch (error) {
          if (mine === turn) fail(error, 'card')
          return
        }
      }
    },
    clear() {
      turn++
      patch({ ...idle, ...noExternal })
      notify.success('Reference lap cleared')
    },
    dismissProblem: () => patch({ problem: null }),
  }
}

function notLoaded(why = ''): string {
  return `Could not load reference lap. ${why}`.trim()
}
