import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GREYWATER_PARK, LAPWING_GT, type SimulatedSession, simulateSession } from '@lapwing/simulator'
import { makeSampleSession } from '@lapwing/simulator/sample'
import { buildCases } from '../../testing/build-cases.ts'
import { sharedIbtFiles, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { bytesSource } from '../byte-source.ts'
import { lapFingerprint } from '../fingerprint/lap-fingerprint.ts'
import { openIbt } from '../ibt/open-ibt.ts'
import { readColumns } from '../ibt/read-columns.ts'
import { drivenAt } from '../laps/driven-at.ts'
import type { Lap } from '../laps/lap.ts'
import { lapTimeMs } from '../laps/lap-time-ms.ts'
import { findSoftContradictions } from '../laps/physics/find-soft-contradictions.ts'
import { REVIEW_CHANNELS } from '../laps/physics/joins.ts'
import { lapDataOf, PREVIEW_COLUMNS, previewOf } from '../preview/preview-session.ts'
import { driverNumberOf } from '../session/driver-number.ts'
import { countingSource } from '../testing/counting-source.ts'
import { assemble } from '../testing/cut-file.ts'
import { channel, HZ, type SyntheticLaps, syntheticLaps } from '../testing/synthetic-laps.ts'
import { wholeFile } from '../testing/whole-file.ts'
import { cutLap } from './cut-lap.ts'

/** Reads a file as ingest does. */
async function judge(bytes: Uint8Array) {
  const file = await openIbt(bytesSource(bytes))
  const columns = await readColumns(file, new Set([...PREVIEW_COLUMNS, ...REVIEW_CHANNELS]))
  const data = lapDataOf(file, columns)
  const preview = previewOf(file, columns, data)
  const physics = findSoftContradictions(columns, data, preview.laps)
  const moments = drivenAt(preview.laps, preview.sessionTime, file.startDate)
  return { file, preview, laps: preview.laps, physics, moments }
}

type Judged = Awaited<ReturnType<typeof judge>>

const cutOf = ({ file, laps, moments }: Judged, index: number) =>
  cutLap(file, laps, laps[index]!, moments[index]!)

/** Everything of a lap that ingest decides or stores, without the rows of the file. */
function answersOf({ file, laps, physics, preview }: Judged, index: number) {
  const lap = laps[index]!
  const { row_start, row_end, incidents, figures, ...verdict } = lap
  const rows = (from: number, end: number) => [from - row_start, end - row_start]
  const fingerprint = lapFingerprint(preview, lap)
  return {
    ...verdict,
    time_ms: lapTimeMs(lap.time_s!),
    rows: rows(row_start, row_end),
    incidents: incidents.map(one => [one.kind, ...rows(one.row_start, one.row_end)]),
    figures,
    findings: physics[index]?.contradictions,
    gears: [...(physics[index]?.gearRatios ?? [])],
    fingerprint: fingerprint && { ...fingerprint, descriptor: [...fingerprint.descriptor] },
    driver: driverNumberOf(file.session),
    // The time of day is that of the first row.
    meta: { ...preview.meta, time_of_day_s: null },
    rate: file.tickRate,
    variables: file.variables.length,
  }
}

interface Found {
  /** Complete laps, and those of them that cannot be cut. */
  readonly complete: number
  readonly refused: readonly number[]
  /** The most laps that a cut has, whole ones and parts. */
  readonly mostLaps: number
}

/** Cuts each complete lap of a file and fails unless the cut has the answers of the whole file. */
async function checkFile(bytes: Uint8Array, name: string): Promise<Found> {
  const whole = await judge(bytes)
  const refused: number[] = []
  let complete = 0
  let mostLaps = 0
  for (const [index, lap] of whole.laps.entries()) {
    if (!lap.is_completed) continue
    complete++
    const cut = await cutOf(whole, index)
    if (cut === null) {
      refused.push(lap.lap)
      continue
    }
    const part = await judge(assemble(bytes, cut))
    const from =
      (cut.slices.find(([, end]) => end > whole.file.bufOffset)![0] - whole.file.bufOffset) /
      whole.file.bufLen
    const at = part.laps.findIndex(({ row_start }) => row_start === lap.row_start - from)
    const message = `${name}, lap ${lap.lap}`
    assert.deepEqual(answersOf(part, at), answersOf(whole, index), message)
    assert.equal(part.file.partial, false, message)
    const drivenMs = (of: Judged, i: number) => of.moments[i]?.getTime() ?? 0
    assert.ok(Math.abs(drivenMs(part, at) - drivenMs(whole, index)) <= 500, message)
    const { row_start, row_end } = part.laps[at]!
    const margin = 5 * HZ
    assert.ok(row_start >= Math.min(margin, lap.row_start), message)
    assert.ok(part.file.rows - row_end > Math.min(margin, whole.file.rows - lap.row_end - 1), message)
    mostLaps = Math.max(mostLaps, part.laps.length)
  }
  return { complete, refused, mostLaps }
}

test('gives a cut of every complete lap of every recorded file the answers of the whole file', {
  skip: sharedIbtMissing,
}, async () => {
  let complete = 0
  for (const { name, bytes } of sharedIbtFiles()) {
    const found = await checkFile(bytes, name)
    assert.deepEqual(found.refused, [], name)
    complete += found.complete
  }
  assert.ok(complete >= 18, String(complete))
})

test('does so for every complete lap of the inputs that broke other tools', {
  skip: sharedIbtMissing,
}, async () => {
  let complete = 0
  for (const [name, bytes] of Object.entries(buildCases())) {
    const found = await checkFile(bytes, name)
    assert.deepEqual(found.refused, [], name)
    complete += found.complete
  }
  assert.ok(complete >= 20, String(complete))
})

const simulated = (change: Partial<SimulatedSession> = {}, laps = 4): Uint8Array =>
  simulateSession({
    road: GREYWATER_PARK,
    car: LAPWING_GT,
    stint: {
      laps: Array.from({ length: laps + 2 }, (_, i) => ({ pace: 0.93 + (i % 5) / 100, seed: 100 + i })),
      mistakes: [{ lap: 2, at: 0.54, overM: 150, asideM: 7.2, grip: 0.62, limitMps: 31 }],
      startsAt: 0.8,
      isFromPits: false,
      stopsAt: 0.3,
    },
    names: {
      trackId: 7,
      trackName: 'greywater grandprix',
      trackDisplayName: 'Greywater Park',
      trackDisplayShortName: 'Greywater',
      trackConfigName: 'Grand Prix',
      carPath: 'lapwing gt',
      carScreenName: 'Lapwing GT',
      carId: 3,
      driverId: 5,
    },
    startedAt: new Date('2026-05-16T13:20:00Z'),
    missingTicks: [1571, 9240, 9301],
    hasPlaces: true,
    hasAllChannels: true,
    ...change,
  })

const stint = simulated()

const fill = (
  session: SyntheticLaps,
  name: string,
  lap: number,
  seconds: number,
  rows: number,
  value: number,
) => {
  const row = session.lineRows[lap]! + Math.round(seconds * HZ)
  channel(session, name).fill(value, row, row + rows)
}

/** Returns a session whose finish line lies a share of the lap after its start line (D-29). */
function finishLate(share: number): SyntheticLaps {
  const times = [60, 58, 59]
  const session = syntheticLaps({ lapTimesS: times })
  const scores = channel(session, 'LapLastLapTime').fill(-1)
  for (const [lap, timeS] of times.entries()) {
    const lateS = share * (times[lap + 1] ?? timeS)
    scores.fill(timeS + lateS, session.lineRows[lap + 1]! + Math.round(lateS * HZ) + 110)
  }
  return session
}

/** The car waits under the lights of a grid, that many seconds before the line of a lap. */
function standingStart(lap: number, secondsBefore: number): SyntheticLaps {
  const session = syntheticLaps()
  fill(session, 'SessionFlags', lap, -secondsBefore, 30, 0x80000000)
  fill(session, 'Speed', lap, -secondsBefore, 2, 0)
  return session
}

/** The second half of the file is another simulator session, whose clock and laps start again. */
function twoSessions(): SyntheticLaps {
  const session = syntheticLaps({ lapTimesS: [60, 58, 59, 57] })
  const second = session.lineRows[2]! + 240
  channel(session, 'SessionNum').fill(2, second)
  const timeS = channel(session, 'SessionTime')
  for (let row = second; row < timeS.length; row++) timeS[row] = 7 + (row - second) / HZ
  return session
}

const kinds: [kind: string, bytes: () => Uint8Array, mostLaps: number][] = [
  ['the sample session', makeSampleSession, 3],
  ['a stint with all channels', () => stint, 3],
  ['a stint with the channels of an export', () => simulated({ hasAllChannels: false }), 3],
  ['a stint without positions', () => simulated({ hasPlaces: false }), 3],
  ['rows before the session text and the variables', () => moved(['rows', 'session', 'variables']), 3],
  ['rows between the variables and the session text', () => moved(['variables', 'rows', 'session']), 3],
  ['a file that ends inside a row', () => wholeFile(syntheticLaps(), undefined, { cutBytes: 3 }), 3],
  ['a file that declares no rows', () => wholeFile(syntheticLaps(), undefined, { declaredRows: 0 }), 3],
  ['a last lap without a score', () => wholeFile(syntheticLaps({ rowsAfter: 30 })), 3],
  ['a first lap at the start of the file', () => wholeFile(syntheticLaps({ from: 0.99 })), 3],
  ['a standing start just before the line', () => wholeFile(standingStart(0, 3)), 3],
  ['two sessions in a file', () => wholeFile(twoSessions()), 4],
]

function moved(order: readonly ('variables' | 'session' | 'rows')[]): Uint8Array {
  return wholeFile(syntheticLaps(), undefined, { order, gapBytes: 5 })
}

for (const [kind, bytes, mostLaps] of kinds) {
  test(`cuts a lap, 5 s before and 5 s after, with the answers of the whole file: ${kind}`, async () => {
    const found = await checkFile(bytes(), kind)
    assert.ok(found.complete >= 2, String(found.complete))
    assert.deepEqual(found.refused, [])
    assert.ok(found.mostLaps <= mostLaps, `${found.mostLaps} laps`)
  })
}

const GEARS = [140, 151, 140, 140]
const withOtherGears = (odd: number) => {
  const session = syntheticLaps({ lapTimesS: [60, 58, 59] })
  return wholeFile(session, row =>
    session.lineRows.findLastIndex(line => line <= row) === odd ? GEARS[1]! : GEARS[0]!,
  )
}

for (const [why, bytes] of [
  ['a finish line after the start line (D-29)', () => wholeFile(finishLate(0.03))],
  ['a standing start from the back of a grid', () => wholeFile(standingStart(1, 20))],
  ['gears that contradict the other laps', () => withOtherGears(1)],
] as const) {
  test(`adds a whole lap to the cut if a verdict needs it: ${why}`, async () => {
    const found = await checkFile(bytes(), why)
    assert.deepEqual([found.complete, found.refused], [3, []])
    assert.ok(found.mostLaps >= 4, `${found.mostLaps} laps`)
  })
}

test('offers no cut of a lap whose verdict comes from farther away', async () => {
  // Its neighbours are not complete, so only laps beyond them show other gears.
  const session = syntheticLaps({ lapTimesS: [60, 58, 59, 57, 61] })
  for (const lap of [1, 3]) fill(session, 'OnPitRoad', lap, 20, 600, 1)
  const bytes = wholeFile(session, row =>
    session.lineRows.findLastIndex(line => line <= row) === 2 ? GEARS[1]! : GEARS[0]!,
  )
  const found = await checkFile(bytes, 'gears')
  assert.deepEqual([found.complete, found.refused], [3, [4]])
})

test('states when its lap was driven, to the millisecond', async () => {
  const whole = await judge(stint)
  for (const [index, lap] of whole.laps.entries()) {
    if (!lap.is_completed) continue
    const part = await judge(assemble(stint, (await cutOf(whole, index))!))
    const at = part.laps.findIndex(({ is_completed }) => is_completed)
    const apartMs = part.moments[at]!.getTime() - whole.moments[index]!.getTime()
    assert.ok(Math.abs(apartMs) <= 1, `${apartMs} ms`)
  }
})

test('is at most 8 % of a file of 30 laps, and reads little of it', async () => {
  const bytes = simulated({}, 30)
  const whole = await judge(bytes)
  const complete = whole.laps.filter(lap => lap.is_completed)
  assert.ok(complete.length >= 29, String(complete.length))
  const best = complete.reduce((a, b) => (b.time_s! < a.time_s! ? b : a)) as Lap
  const source = countingSource(bytesSource(bytes))
  const file = await openIbt(source)
  const cut = await cutLap(file, whole.laps, best, whole.moments[whole.laps.indexOf(best)]!)
  assert.ok(cut!.sizeBytes <= 0.08 * bytes.byteLength, `${cut!.sizeBytes} of ${bytes.byteLength}`)
  assert.ok(source.asked.bytes < 0.2 * bytes.byteLength, `${source.asked.bytes} read`)
})
