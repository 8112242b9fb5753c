import { defaultNameOf } from '@lapwing/usernames/default-name'
import type { BoardName } from '../boards/board.ts'
import { compareOrder, type Entry } from '../boards/entry.ts'
import { fromMicroseconds } from '../boards/moment.ts'
import { lapIdOf, summit, type WireLap, type WireStanding } from './a-standing.ts'

/** The expected boards of one combination, computed without a database. */
export interface HistoryModel {
  readonly combination: typeof summit
  readonly users: readonly string[]
  /** Adds a lap, faster or slower than the others. */
  drive(
    driver: number,
    lap: { readonly timeMs: number; readonly tie: number; readonly isClean: boolean },
  ): void
  /** Deletes one of the driver's laps, if there is one. */
  deleteLap(driver: number, lap: number): void
  /** Returns one of the driver's standings, which ingest can send at any time; null if there is none yet. */
  standing(driver: number, version: number): WireStanding | null
  latest(driver: number): WireStanding | null
  /** Records that a standing has arrived. */
  arrived(standing: WireStanding): void
  /** Returns the id of one of the driver's laps; null if there is none. */
  lapId(driver: number, lap: number): string | null
  readonly hiddenLaps: Set<string>
  readonly hiddenUsers: Set<string>
  readonly deletedUsers: Set<string>
  readonly names: Map<string, string>
  expected(board: BoardName): readonly ExpectedRow[]
}

export interface ExpectedRow extends Entry {
  readonly rank: number
  readonly userId: string
  readonly displayName: string
}

interface ModelLap extends Entry {
  isDeleted: boolean
}

export function historyModel(name: string, drivers: number): HistoryModel {
  const users = Array.from({ length: drivers }, (_, i) => `user-${name}-${i}`)
  const combination = { ...summit, car_slug: name, car_label: name }
  const laps = users.map((): ModelLap[] => [])
  const standings = users.map((): WireStanding[] => [])
  const received = new Map<string, WireStanding>()
  let driven = 0

  const best = (driver: number, isClean: boolean): ModelLap | null =>
    laps[driver]!.filter(lap => !lap.isDeleted && (lap.isClean || !isClean)).sort(compareOrder)[0] ?? null

  function change(driver: number): void {
    const [complete, clean] = [best(driver, false), best(driver, true)].map(lap => lap && toWire(lap))
    standings[driver]!.push({
      user_id: users[driver]!,
      combination,
      version: standings[driver]!.length + 1,
      complete: complete!,
      clean: clean!,
    })
  }

  const model: HistoryModel = {
    combination,
    users,
    hiddenLaps: new Set(),
    hiddenUsers: new Set(),
    deletedUsers: new Set(),
    names: new Map(),
    drive(driver, { timeMs, tie, isClean }) {
      const lapId = lapIdOf(`${name} ${driven++}`)
      laps[driver]!.push({ lapId, timeMs, recordedUs: firstUs + tie, isClean, isDeleted: false })
      change(driver)
    },
    deleteLap(driver, lap) {
      const left = laps[driver]!.filter(({ isDeleted }) => !isDeleted)
      if (left.length === 0) return
      left[lap % left.length]!.isDeleted = true
      change(driver)
    },
    standing(driver, version) {
      const all = standings[driver]!
      return all[version % Math.max(1, all.length)] ?? null
    },
    latest: driver => standings[driver]!.at(-1) ?? null,
    arrived(standing) {
      const known = received.get(standing.user_id)
      if (known === undefined || known.version < standing.version) received.set(standing.user_id, standing)
    },
    lapId(driver, lap) {
      const all = laps[driver]!
      return all[lap % Math.max(1, all.length)]?.lapId ?? null
    },
    expected(board) {
      return users
        .filter(userId => !model.deletedUsers.has(userId) && !model.hiddenUsers.has(userId))
        .flatMap(userId => {
          const lap = received.get(userId)?.[board]
          if (lap === null || lap === undefined || model.hiddenLaps.has(lap.lap_id)) return []
          const entry = laps[users.indexOf(userId)]!.find(({ lapId }) => lapId === lap.lap_id)!
          return [{ ...entry, userId, displayName: model.names.get(userId) ?? defaultNameOf(userId) }]
        })
        .sort(compareOrder)
        .map(({ isDeleted: _, ...row }, i) => ({ ...row, rank: i + 1 }))
    },
  }
  return model
}

const firstUs = Date.UTC(2026, 2, 1, 12) * 1_000

function toWire({ lapId, timeMs, recordedUs, isClean }: Entry): WireLap {
  return { lap_id: lapId, time_ms: timeMs, recorded_at: fromMicroseconds(recordedUs), is_clean: isClean }
}
