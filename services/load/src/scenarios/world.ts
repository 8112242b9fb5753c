import type { Board } from '../steps/boards.ts'
import type { Driver } from '../steps/drivers.ts'
import type { SavedLap } from '../steps/laps.ts'
import type { Target } from '../steps/target.ts'

/** What a run has prepared: plain data, because k6 hands it to its virtual users as JSON. */
export interface World {
  readonly target: Target
  readonly run: RunName
  readonly drivers: readonly Driver[]
  /** Boards of this run to look at; empty if nobody looks at boards. */
  readonly boards: readonly Board[]
  /** Laps that the preparation put on them. */
  readonly saved: readonly SavedLap[]
}

/** Separates the run from others on the same Lapwing. */
export interface RunName {
  /** Six hexadecimal digits. */
  readonly id: string
  /** Drivers of the run, at most `MAX_DRIVERS`. */
  readonly drivers: number
}

export const MAX_DRIVERS = 1_000

/** Files of a run, each with one complete lap of its own. */
export interface Files {
  /** Returns a narrow file of about 0.5 MB. */
  readonly read: (file: number) => Promise<Uint8Array>
}

/** Returns the name of a run's track. No real track has such a name. */
export function trackOf({ id }: RunName): string {
  return `Load Ring ${id}`
}

/** Returns whose lap a file has, and in which car. No two files have the same pair, so each makes an entry. */
export function fileOwner(
  { drivers }: RunName,
  file: number,
): { readonly driver: number; readonly car: number } {
  return { driver: file % drivers, car: Math.floor(file / drivers) }
}

/** Returns how many files the preparation uses. */
export function seedsOf({ drivers }: RunName): number {
  return Math.min(drivers, SEED_LAPS)
}

/** Enough for a board of two pages of rows, with ten drivers or more, whose laps are compared in a review. */
const SEED_LAPS = 12

/** Returns the file of an ingest. Those of the preparation come before. */
export function fileOfIngest(run: RunName, before: number): number {
  return seedsOf(run) + before
}
