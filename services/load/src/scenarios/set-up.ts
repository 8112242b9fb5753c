import { Refused } from '../steps/ask.ts'
import { findBoards } from '../steps/boards.ts'
import { type Driver, deleteDriver, signUp } from '../steps/drivers.ts'
import type { Http } from '../steps/http.ts'
import { type SavedLap, saveLap } from '../steps/laps.ts'
import { findTarget } from '../steps/target.ts'
import type { Scenario } from './scenarios.ts'
import { type Files, fileOwner, type RunName, seedsOf, trackOf, type World } from './world.ts'

/** Signs the drivers up, and saves some laps if drivers will look at boards. */
export async function setUp(
  http: Http,
  { url, run, scenario, files }: { url: string; run: RunName; scenario: Scenario; files: Files },
): Promise<World> {
  const target = await findTarget(http, url)
  const drivers: Driver[] = []
  await inLanes(run.drivers, async index => {
    drivers[index] = await patiently(http, () => signUp(http, target, run.id, index))
  })
  if (!scenario.mix.browse) return { target, run, drivers, boards: [], saved: [] }
  const saved: SavedLap[] = []
  await inLanes(seedsOf(run), async file => {
    const driver = drivers[fileOwner(run, file).driver]!
    saved.push(await patiently(http, () => saveLap(http, target, driver, () => files.read(file))))
  })
  const boards = await findBoards(http, target, drivers[0]!, trackOf(run))
  return { target, run, drivers, boards, saved }
}

/** Deletes the drivers with their laps and files. */
export async function tearDown(http: Http, world: World): Promise<void> {
  await inLanes(world.drivers.length, async index => {
    await patiently(http, () => deleteDriver(http, world.target, world.drivers[index]!))
  })
}

/** Runs the work for 0 to `count - 1`, some at the same time. */
async function inLanes(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

const LANES = 6

/** Repeats the work while a limit refuses it: the preparation may be slow, but must be complete. */
async function patiently<Result>(http: Http, work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Refused) || tries === MAX_TRIES) throw error
      await http.wait(1_000)
    }
  }
}

const MAX_TRIES = 60
