import { readFileSync } from 'node:fs'
import { sharedIbt, sharedIbtMissing } from '@lapwing/testing/shared-ibt.ts'
import type { Page } from 'playwright-core'
import { type Copy, writeCopies, writeFiles } from './library.ts'
import { anIbt } from './testing/an-ibt.ts'
import { simulatedFile } from './testing/simulated-file.ts'

const EVENINGS = 200
const DAY_MS = 24 * 3_600_000

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

/** A session of last week with every channel, and three places on lap 2 that cost time. */
export const lastWeek = {
  name: 'greywater last week.ibt',
  bytes: simulatedFile({
    startedAt: daysAgo(3).toISOString(),
    pace: 0.94,
    seeds: [11, 23, 37, 41, 59],
    mistakes: [
      { lap: 2, at: 0.107, overM: 90, asideM: 0.9, grip: 0.9 },
      { lap: 2, at: 0.488, overM: 120, asideM: 0.7, grip: 0.92 },
      { lap: 2, at: 0.915, overM: 80, asideM: 0.5, grip: 0.92 },
    ],
    hasAllChannels: true,
  }),
}

const recorded = 'real/langley-2-laps.ibt'

/**
 * Writes the folder of a driver who drove on 200 evenings. Two sessions of the last seven days are at Greywater Park, and
 * so are older ones, faster and slower. The others are on two circuits in two cars. One is recorded, if the recorded
 * files are beside the project.
 */
export async function writeEvenings(page: Page): Promise<void> {
  const slower = { name: 'greywater slower.ibt', startedAt: daysAgo(5).toISOString(), pace: 0.92 }
  await writeFiles(page, lastWeek, { name: slower.name, bytes: simulatedFile(slower) })
  let written = 2
  if (sharedIbtMissing === false) {
    await writeFiles(page, { name: 'recorded.ibt', bytes: readFileSync(sharedIbt(recorded)) })
    written++
  }
  const others = [
    simulatedFile({ pace: 0.93 }),
    simulatedFile({ pace: 0.955 }),
    ...['Lapwing Ring', 'Harbour'].flatMap((track, i) =>
      ['Lapwing GT', 'Lapwing F3'].map(car =>
        anIbt({
          lapTimesS: [20.4 - i],
          names: {
            'lapwing ring': track.toLowerCase(),
            'Lapwing Ring': track,
            'lapwing gt': car.toLowerCase(),
            'Lapwing GT': car,
          },
        }),
      ),
    ),
  ]
  const copies = others.map((): Copy[] => [])
  for (let i = 0; written < EVENINGS; i++, written++) {
    // The long ones are five each.
    const other = i < 10 ? i % 2 : 2 + (i % 4)
    copies[other]!.push({ path: `evening ${i}.ibt`, startDate: daysAgo(9 + i) })
  }
  for (const [i, bytes] of others.entries()) await writeCopies(page, bytes, copies[i]!)
}
