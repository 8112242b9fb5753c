import type { Page } from 'playwright-core'
import type { FakeBoards, FakeEntry } from '../../frontend/src/testing/fake-boards.ts'
import { signIn } from './accounts.ts'
import { fakeBoards } from './fake-boards.ts'
import { dropFiles } from './give-file.ts'
import type { VisitOptions } from './harness.ts'
import { openFirstVisit, shownLaps } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'

/** A file of a made-up circuit whose best lap is 0:20.200. */
export const ringFile = { name: 'ring.ibt', bytes: anIbt({ lapTimesS: [21.4, 20.2, 20.9] }) }
export const ringBestMs = 20_200

/** The board that file belongs to. */
export const ring = {
  sim: 'iracing',
  track_slug: 'lapwing-ring',
  layout: 'short',
  car_slug: 'lapwing-gt',
  track_label: 'Lapwing Ring, Short',
  car_label: 'Lapwing GT',
} as const

/** A board nobody has a lap on is a 404, which a browser writes into its console. */
export const noLapsYet: Pick<VisitOptions, 'expected'> = { expected: [/\b404\b/] }

/** Opens the page as a driver, with boards that the test can bend. */
export async function openAsDriver(page: Page, prepare: (boards: FakeBoards) => void): Promise<FakeBoards> {
  const boards = await fakeBoards(page)
  boards.settings.drive = { combination: ring, timeMs: ringBestMs }
  prepare(boards)
  await openFirstVisit(page)
  await signIn(page)
  return boards
}

/** Drops the file and waits for its laps. */
export async function dropRing(page: Page): Promise<void> {
  await dropFiles(page, ringFile)
  await shownLaps(page)
}

/** Drivers of the ring, around the lap of its file. */
export function ringDrivers(count: number, firstMs = 19_900, stepMs = 7): FakeEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    userId: `user-test-00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`,
    name: names[index] ?? `driver_${index + 1}`,
    timeMs: firstMs + stepMs * index,
    isClean: index % 3 !== 0,
  }))
}

const names = ['slipstream', 'kerbside_kate', 'trailbrake', 'late_braker', 'dirtyair', 'boxboxbox', 'sector3']

export const card = (page: Page) => page.getByRole('region', { name: 'Leaderboard' })
export const fullBoard = (page: Page) => page.getByRole('dialog', { name: /^Leaderboard for/ })
