import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildIbt, type IbtSpec } from '@lapwing/simulator/build-ibt'
import { createRandom } from '@lapwing/simulator/random'
import { wideVariables } from '@lapwing/simulator/testing/wide-variables'
import { bytesSource } from '../byte-source.ts'
import { previewSession } from '../preview/preview-session.ts'
import { countingSource } from '../testing/counting-source.ts'
import { mutate } from '../testing/mutate.ts'
import { IbtError } from './ibt-error.ts'
import { MAX_OPEN_BYTES, MAX_SESSION_BYTES } from './limits.ts'
import { openIbt } from './open-ibt.ts'
import { readColumns } from './read-columns.ts'

const RUNS = Number(process.env.FUZZ_RUNS ?? 20_000)
const SEED = Number(process.env.FUZZ_SEED ?? 1)

/**
 * Stops loops that do not end; a file takes about a millisecond. Measured as processor time, because a busy
 * machine is no endless loop.
 */
const HANG_MS = 1000
/** Characters of the facts of the largest session text: limits of texts and lists, in JSON. */
const MAX_FACTS = 32_000

const SESSION_TEXT = `---
WeekendInfo:
 TrackName: okayama full
 TrackID: 166
 TrackLength: 3.6552 km
SessionInfo:
 Sessions:
 - SessionNum: 0
   SessionType: Practice
DriverInfo:
 DriverCarIdx: 1
 Drivers:
 - CarIdx: 1
   UserName: J\u00fcrgen: # @ -
   UserID: 200002
   CarID: 67
SplitTimeInfo:
 Sectors:
 - SectorNum: 0
   SectorStartPct: 0.000000
...
`

// Laps of 40 rows, so that damage affects whole laps as well as parts of laps.
const lapped = wideVariables().filter(({ name }) => !name.startsWith('Wave_'))
const drive: IbtSpec = {
  rows: 130,
  sessionText: SESSION_TEXT,
  variables: lapped.map(variable => ({
    ...variable,
    values: (row, index) => (typeof variable.values === 'function' ? variable.values(row * 135, index) : 0),
  })),
}
const files = [
  buildIbt(drive),
  buildIbt({ ...drive, version: 1, order: ['session', 'rows', 'variables'], junkRow0: true }),
  buildIbt({ ...drive, order: ['rows', 'variables', 'session'], declaredRows: 0, cutBytes: 11 }),
  buildIbt({ ...drive, sessionText: SESSION_TEXT + '\0'.repeat(400), variables: wideVariables(), rows: 3 }),
]

test(`reads or refuses ${RUNS} damaged files with a reason, in bounded time and memory`, async () => {
  let read = 0
  for (let seed = SEED; seed < SEED + RUNS; seed++) {
    try {
      if (await survives(seed)) read++
    } catch (cause) {
      throw new Error(
        `replay: FUZZ_SEED=${seed} FUZZ_RUNS=1 node --test services/lib/telemetry/ibt/fuzz.test.ts`,
        { cause },
      )
    }
  }
  // Damage that is always refused at the same point would prove little.
  if (RUNS >= 1000) assert.ok(read > RUNS / 10 && read < RUNS * 0.9, `${read} files were read`)
})

/** Returns whether the file was read. Throws for anything but an answer or an `IbtError`. */
async function survives(seed: number): Promise<boolean> {
  const random = createRandom(seed)
  const bytes = mutate(random.pick(files), random)
  const source = countingSource(bytesSource(bytes))
  const start = process.cpuUsage()
  try {
    const file = await openIbt(source)
    assert.ok(
      source.asked.bytes <= Math.min(MAX_OPEN_BYTES, 3 * bytes.length),
      `opening read ${source.asked.bytes}`,
    )
    assert.ok(
      JSON.stringify(file.session, (_, value) => (value instanceof Map ? [...value] : value)).length <=
        MAX_FACTS,
    )
    assert.ok(file.rows >= 1 && file.bufOffset + file.rows * file.bufLen <= bytes.length)

    const { byName } = await readColumns(file, 'all')
    let columnBytes = 0
    for (const { values } of byName.values()) columnBytes += values.byteLength
    assert.ok(columnBytes <= bytes.length, `${columnBytes} bytes of columns from ${bytes.length}`)
    await checkPreview(bytes, file.rows)
    return true
  } catch (error) {
    if (!(error instanceof IbtError)) throw error
    return false
  } finally {
    const { user, system } = process.cpuUsage(start)
    const tookMs = (user + system) / 1000
    assert.ok(tookMs < HANG_MS, `${tookMs} ms`)
    assert.ok(
      source.asked.most <= Math.max(MAX_SESSION_BYTES, 4096 * 144),
      `${source.asked.most} bytes in one read`,
    )
  }
}

/** Checks the laps and the preview of the same bytes: arrays as long as the file, laps within it. */
async function checkPreview(bytes: Uint8Array, rows: number): Promise<void> {
  const { laps, meta, debug, ...series } = await previewSession(bytesSource(bytes))
  for (const values of Object.values(series)) assert.equal(values.length, rows)
  for (const lap of laps) assert.ok(0 <= lap.row_start && lap.row_start <= lap.row_end && lap.row_end < rows)
  assert.ok(laps.length <= rows)
  assert.ok(JSON.stringify({ meta, debug }).length <= MAX_FACTS)
}
