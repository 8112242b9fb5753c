import { after, beforeEach } from 'node:test'
import { sample, sampleLaps } from './compare.ts'
import { type FakeTiles, startFakeTiles } from './fake-tiles.ts'

/**
 * Starts the fake tiles for a test file, with their ground under the start of the sample's lap. Each test begins with
 * pictures and no requests.
 *
 * @param aboveM metres from the simulator's altitude up to the ground, which has heights of its own
 */
export async function tilesUnderSample(aboveM: number): Promise<FakeTiles> {
  const tiles = await startFakeTiles()
  const row = sampleLaps[0]!.row_start
  tiles.ground = { lat: sample.lat[row]!, lon: sample.lon[row]!, altM: sample.alt[row]! + aboveM }
  beforeEach(() => {
    tiles.answer = 'picture'
    tiles.requests.length = 0
  })
  after(() => tiles.close())
  return tiles
}
