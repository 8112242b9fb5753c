import { visitBoard } from '../steps/boards.ts'
import { type Driver, keepSession, signIn } from '../steps/drivers.ts'
import type { Http } from '../steps/http.ts'
import { type SavedLap, saveLap } from '../steps/laps.ts'
import { preview } from '../steps/previews.ts'
import { wideFile } from '../steps/wide-file.ts'
import { FILE_SIZES_MIB, type Journey, journeyOf, type Scenario } from './scenarios.ts'
import { type Files, fileOfIngest, fileOwner, seedsOf, type World } from './world.ts'

/** One arriving driver. `drivers` holds the latest sessions and is updated in place. */
export interface Arrival {
  readonly http: Http
  readonly scenario: Scenario
  readonly world: World
  readonly drivers: Driver[]
  readonly files: Files
  /** Number of the arrival in the run, from 0. */
  readonly number: number
  /** Sizes of files in MiB, by turns. */
  readonly sizesMib?: readonly number[]
}

/** Makes the journey of an arrival. Returns the lap if it saved one. Throws `Refused` or `Failed`. */
export async function makeJourney(arrival: Arrival): Promise<SavedLap | null> {
  const { scenario, number } = arrival
  const { journey, before } = journeyOf(scenario, number)
  return journeys[journey](arrival, before)
}

const journeys: Readonly<Record<Journey, (arrival: Arrival, before: number) => Promise<SavedLap | null>>> = {
  async browse({ http, world, drivers, number }) {
    const index = number % drivers.length
    const driver = await keepSession(http, world.target, drivers[index]!)
    drivers[index] = driver
    const board = world.boards[number % world.boards.length]!
    // Even over the ranks, and another one in each visit.
    await visitBoard(http, world.target, driver, { board, share: (number * 0.618_034) % 1 })
    return null
  },
  async ingest({ http, world, drivers, files, sizesMib = FILE_SIZES_MIB }, before) {
    const file = fileOfIngest(world.run, before)
    const { driver: index } = fileOwner(world.run, file)
    const driver = await signIn(http, world.target, drivers[index]!)
    drivers[index] = driver
    const mib = sizesMib[before % sizesMib.length]!
    return saveLap(http, world.target, driver, async () =>
      wideFile(await files.read(file), mib * 1024 * 1024),
    )
  },
  async 'sign-in'({ http, world, drivers, number }) {
    const index = number % drivers.length
    drivers[index] = await signIn(http, world.target, drivers[index]!)
    return null
  },
  async preview({ http, world, drivers, files, number }) {
    const file = wideFile(await files.read(number % seedsOf(world.run)), 2 * 1024 * 1024)
    await preview(http, world.target, drivers[number % drivers.length]!, file)
    return null
  },
}
