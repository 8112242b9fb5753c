import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DemoBoard } from './boards.ts'
import type { DemoClient } from './demo-client.ts'
import { demoFile } from './demo-file.ts'
import { drawEntries } from './draw-entries.ts'
import { forEachLimited } from './for-each-limited.ts'

export interface Demo {
  readonly dataDir: string
  readonly client: DemoClient
  /** Prints a line for the operator. */
  readonly say: (line: string) => void
}

/** Fills the boards with demo drivers. First removes those of an earlier call, even of a broken one. */
export async function fillBoards(
  demo: Demo,
  boards: readonly DemoBoard[],
  options: { readonly seed: number; readonly now: Date },
): Promise<void> {
  const { dataDir, client, say } = demo
  await clearBoards(demo)
  const { entries } = drawEntries(boards, options.seed, options.now)
  const there = new Set(entries.map(entry => entry.driver))
  // Stored before the first call, so that `clearBoards` finds them even if this call fails.
  writeDriverIds(
    dataDir,
    [...there].map(({ userId }) => userId),
  )
  await forEachLimited([...there], CONCURRENT_FILES, client.publishName)
  const accepted = new Map(boards.map(board => [board, 0]))
  let done = 0
  await forEachLimited(entries, CONCURRENT_FILES, async entry => {
    if (await client.uploadFile(entry.driver.userId, demoFile(entry))) {
      accepted.set(entry.board, accepted.get(entry.board)! + 1)
    }
    done++
    if (done % 50 === 0) say(`${done} of ${entries.length} demo laps are uploaded.`)
  })
  const refused = entries.length - [...accepted.values()].reduce((sum, laps) => sum + laps, 0)
  if (refused > 0) {
    say(`${refused} demo laps were refused: drivers agreed on the track's location, and demo laps have none.`)
  }
  const lines = [...accepted].map(
    ([board, laps]) =>
      `  ${board.trackDisplayName}, ${board.trackConfigName} in a ${board.carScreenName}: ${laps}`,
  )
  say([`${there.size} demo drivers are on the boards. Drivers per board:`, ...lines].join('\n'))
}

/** Removes the demo drivers and all their data. Returns how many there were. */
export async function clearBoards({ dataDir, client }: Demo): Promise<number> {
  const userIds = readDriverIds(dataDir)
  await forEachLimited(userIds, CONCURRENT_FILES, client.deleteAccount)
  rmSync(fileOf(dataDir), { force: true })
  return userIds.length
}

/** Files uploaded at the same time: they keep the worker busy, but leave it time for other files. */
const CONCURRENT_FILES = 4

const fileOf = (dataDir: string) => join(dataDir, 'demo.json')

function writeDriverIds(dataDir: string, userIds: readonly string[]): void {
  writeFileSync(fileOf(dataDir), `${JSON.stringify({ drivers: userIds })}\n`)
}

function readDriverIds(dataDir: string): readonly string[] {
  if (!existsSync(fileOf(dataDir))) return []
  return (JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as { readonly drivers: readonly string[] })
    .drivers
}
