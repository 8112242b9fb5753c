import { after } from 'node:test'
import type { Page } from 'playwright-core'
import type { FakeBoards, FakeEntry } from '../../frontend/src/testing/fake-boards.ts'
import { openSignedIn } from './accounts.ts'
import { fakeBoards } from './fake-boards.ts'
import { type FakeStore, startFakeStore } from './fake-store.ts'
import { dropFiles } from './give-file.ts'
import { type Lapwing, type LapwingOptions, lapwing, type VisitOptions } from './harness.ts'
import { shownLaps } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'
import { sharedStoreUrl } from './testing/shared-stacks.ts'

interface LapwingWithStore extends Lapwing {
  readonly store: FakeStore
  /**
   * For tests of a driver without an open file: they share one window, and each has boards of its own, with what
   * `prepare` adds. What the page remembers of a board can come from the test before. `leave` closes what a test has
   * opened.
   */
  readonly visitWithBoards: (
    leave: (page: Page) => Promise<void>,
    prepare?: (boards: FakeBoards) => void,
  ) => (
    body: (page: Page, boards: FakeBoards) => Promise<void>,
    own?: Pick<VisitOptions, 'expected'>,
  ) => ReturnType<Lapwing['visit']>
}

/** Starts the real Lapwing with a store that the test controls. */
export async function lapwingWithStore(
  options: Pick<LapwingOptions, 'hasMotion'> = {},
): Promise<LapwingWithStore> {
  const store = await startFakeStore()
  after(() => store.close())
  // The page's security policy allows one origin. A shared stack's forwards to the store of each file.
  const shared = sharedStoreUrl(store.url)
  const env = shared === null ? { gateway: { S3_PUBLIC_ENDPOINT: store.url } } : undefined
  const stack = lapwing({ reach: 'accounts', ownAddresses: true, ...options, ...(env && { env }) })
  const reached = { ...store, url: shared ?? store.url }
  return {
    ...stack,
    store: reached,
    visitWithBoards(leave, prepare = () => {}) {
      const visit = stack.visitTogether(page => openAsDriver(page, reached), { leave })
      return (body, own) =>
        visit(async page => {
          const boards = await boardsBehind(page, reached)
          prepare(boards)
          await body(page, boards)
        }, own)
    },
  }
}

/** A file of an invented circuit with a best lap of 0:20.200. */
export const ringFile = { name: 'ring.ibt', bytes: anIbt({ lapTimesS: [21.4, 20.2, 20.9] }) }
export const ringBestMs = 20_200

/** The board of that file. */
export const ring = {
  sim: 'iracing',
  track_slug: 'lapwing-ring',
  layout: 'short',
  car_slug: 'lapwing-gt',
  track_label: 'Lapwing Ring, Short',
  car_label: 'Lapwing GT',
} as const

/** A board without laps answers 404, which the browser logs as an error. */
export const noLapsYet: Pick<VisitOptions, 'expected'> = { expected: [/\b404\b/] }

/** Opens the page as a driver, with boards that the test controls. `prepare` runs before the page opens. */
export async function openAsDriver(
  page: Page,
  store: FakeStore,
  prepare: (boards: FakeBoards) => void = () => {},
): Promise<FakeBoards> {
  const boards = await boardsBehind(page, store)
  prepare(boards)
  await openSignedIn(page)
  return boards
}

export async function boardsBehind(page: Page, store: FakeStore): Promise<FakeBoards> {
  const boards = await fakeBoards(page)
  boards.settings.storeUrl = store.url
  boards.settings.drive = { combination: ring, timeMs: ringBestMs }
  return boards
}

/** Drops the file and waits for its laps. */
export async function dropRing(page: Page): Promise<void> {
  await dropFiles(page, ringFile)
  await shownLaps(page)
}

/** Returns entries on the ring, each some milliseconds slower than the one before. */
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

/** Opens the page as a driver with a saved lap on the board, among `others` other drivers. */
export async function openRanked(
  page: Page,
  store: FakeStore,
  others: number,
  prepare: (boards: FakeBoards) => void = () => {},
): Promise<FakeBoards> {
  const boards = await openAsDriver(page, store, boards => {
    boards.addEntries(ring, ringDrivers(others))
    prepare(boards)
  })
  // The card is drawn before the lap is judged, so that it fetches the board exactly once more.
  const { released, release } = heldBack()
  boards.answerNext('POST /laps/ingest-best-from-session', { after: released })
  await dropRing(page)
  await card(page).getByText('Processing lap data...').waitFor()
  release()
  await card(page).getByText(/^#\d/).waitFor()
  return boards
}

/** Opens the full board of the loaded file and waits for its first rows. */
export async function openFullBoard(page: Page): Promise<ReturnType<typeof fullBoard>> {
  await page.getByRole('button', { name: 'Show Full Leaderboard' }).click()
  await fullBoard(page).getByRole('row').nth(1).waitFor()
  return fullBoard(page)
}

/** Returns the colours of ranks 1, 2 and 3, of those up to 10, and of all others. */
export function rankColours(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    ['--rank-1', '--rank-2', '--rank-3', '--rank-10', '--text'].map(name => {
      const element = document.createElement('span')
      element.style.color = `var(${name})`
      document.body.append(element)
      const { color } = getComputedStyle(element)
      element.remove()
      return color
    }),
  )
}

/** Returns an answer that waits until it is released. */
export function heldBack(): { readonly released: Promise<void>; readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { released: promise, release: resolve }
}
