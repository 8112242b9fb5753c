import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DemoBoard } from './boards.ts'
import type { DemoClient } from './demo-client.ts'
import { demoFile } from './demo-file.ts'
import { drawEntries } from './draw-entries.ts'
import { inLanes } from './in-lanes.ts'

export interface Demo {
  readonly dataDir: string
  readonly client: DemoClient
  /** Where a line for the person goes. */
  readonly say: (line: string) => void
}

/** Fills boards with demo drivers. Those that an earlier call left, be it cut off, go first. */
export async function fillBoards(
  demo: Demo,
  boards: readonly DemoBoard[],
  options: { readonly seed: number; readonly now: Date },
): Promise<void> {
  const { dataDir, client, say } = demo
  await clearBoards(demo)
  const { entries } = drawEntries(boards, options.seed, options.now)
  const there = new Set(entries.map(entry => entry.driver))
  // Before the first of them is anywhere, so that whatever comes of this they can be found again.
  writeDriverIds(
    dataDir,
    [...there].map(({ userId }) => userId),
  )
  await inLanes([...there], LANES, client.name)
  const brought = new Map(boards.map(board => [board, 0]))
  let done = 0
  await inLanes(entries, LANES, async entry => {
    if (await client.bring(entry.driver.userId, demoFile(entry))) {
      brought.set(entry.board, brought.get(entry.board)! + 1)
    }
    done++
    if (done % 50 === 0) say(`${done} of ${entries.length} demo laps were brought.`)
  })
  const refused = entries.length - [...brought.values()].reduce((sum, laps) => sum + laps, 0)
  if (refused > 0) {
    say(`${refused} demo laps were not taken: drivers agree where their track is, and demo laps do not say.`)
  }
  const lines = [...brought].map(
    ([board, laps]) =>
      `  ${board.trackDisplayName}, ${board.trackConfigName} in a ${board.carScreenName}: ${laps}`,
  )
  say([`${there.size} demo drivers are there, and this many on each board:`, ...lines].join('\n'))
}

/** Removes the demo drivers and all that is theirs; answers how many there were. */
export async function clearBoards({ dataDir, client }: Demo): Promise<number> {
  const userIds = readDriverIds(dataDir)
  await inLanes(userIds, LANES, client.forget)
  rmSync(fileOf(dataDir), { force: true })
  return userIds.length
}

/** Files under way at once: enough to keep the worker busy, few enough to leave it to others too. */
const LANES = 4

const fileOf = (dataDir: string) => join(dataDir, 'demo.json')

function writeDriverIds(dataDir: string, userIds: readonly string[]): void {
  writeFileSync(fileOf(dataDir), `${JSON.stringify({ drivers: userIds })}\n`)
}

function readDriverIds(dataDir: string): readonly string[] {
  if (!existsSync(fileOf(dataDir))) return []
  return (JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as { readonly drivers: readonly string[] })
    .drivers
}
