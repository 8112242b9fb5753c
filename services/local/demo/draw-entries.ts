import { randomUUID } from 'node:crypto'
import { DEMO_USER_PREFIX } from '@lapwing/auth'
import { createRandom, type Random } from '@lapwing/simulator/random'
import { demoName } from '@lapwing/usernames/demo-name'
import type { DemoBoard } from './boards.ts'

/** A generated driver. */
export interface DemoDriver {
  readonly userId: string
  /** The name on boards. */
  readonly name: string
  /** Driver number of the simulator, higher than any real one. */
  readonly simDriverId: number
  /** From 0 (slowest) to 1. */
  readonly skill: number
}

/** One driver's file for one board. */
export interface DemoEntry {
  readonly driver: DemoDriver
  readonly board: DemoBoard
  /** Share of the grip that the driver uses. */
  readonly pace: number
  /** Seed of the lap's variations; makes each lap unique. */
  readonly seed: number
  /** Whether the lap runs over the grass: complete, but not clean. */
  readonly isDirty: boolean
  readonly startedAt: Date
}

export const DRIVERS = 160

/**
 * Draws drivers and their entries. Most drivers have one board, some two or three. A driver who is fast on
 * one board is rarely slow on another. The seed decides everything but the ids of the drivers, which are new
 * in every call.
 */
export function drawEntries(
  boards: readonly DemoBoard[],
  seed: number,
  now: Date,
): { readonly drivers: readonly DemoDriver[]; readonly entries: readonly DemoEntry[] } {
  const random = createRandom(seed)
  const firstId = 2_000_000_000 + Math.floor(Math.random() * 100_000) * 1000
  const drivers = Array.from({ length: DRIVERS }, (_, index) => ({
    userId: `${DEMO_USER_PREFIX}${randomUUID()}`,
    name: demoName(index + 1),
    simDriverId: firstId + index,
    skill: share(random),
  }))
  const entries = boards.flatMap(board =>
    shuffled(drivers, random)
      .slice(0, board.drivers)
      .map(driver => ({
        driver,
        board,
        pace: paceOf(driver.skill, random),
        seed: random.below(2 ** 31),
        isDirty: random.below(8) === 0,
        startedAt: new Date(now.getTime() - random.below(60 * 24 * 3600) * 1000),
      })),
  )
  // Mix the boards, so that early viewers find entries on each.
  return { drivers, entries: shuffled(entries, random) }
}

/**
 * Draws a pace as a share of the grip. Few drivers are at the limit, many are a little below, some far. The
 * slowest lap is some 6 % slower than the fastest.
 */
function paceOf(skill: number, random: Random): number {
  const form = 0.25 * (share(random) - 0.5)
  const off = Math.min(1, Math.max(0, 1 - skill + form))
  return 0.995 - 0.17 * off ** 1.7
}

function share(random: Random): number {
  return random.below(10_000) / 10_000
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const left = [...items]
  return Array.from({ length: items.length }, () => left.splice(random.below(left.length), 1)[0]!)
}
