import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSampleSession } from '@lapwing/simulator/sample'
import { sharedIbtFiles, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { bytesSource } from '../byte-source.ts'
import { openIbt } from '../ibt/open-ibt.ts'
import { readColumns } from '../ibt/read-columns.ts'
import type { Lap, LapReason } from '../laps/lap.ts'
import { previewSession } from '../preview/preview-session.ts'
import { findStints, type LapLog, LOG_CHANNELS, lapKinds, lapLogs, stintChanges } from './stints.ts'

const aLap = (lap: number, reasons: readonly LapReason[] = [], more: Partial<Lap> = {}): Lap => ({
  lap,
  is_completed: reasons.length === 0,
  is_clean: reasons.length === 0,
  reasons,
  time_s: reasons.length === 0 ? 60 + lap / 10 : null,
  time_fmt: null,
  time_source: null,
  row_start: 100 * lap,
  row_end: 100 * lap + 99,
  incidents: [],
  session_num: 0,
  session_name: null,
  ...more,
})

const NO_LOG: LapLog = {
  fuelStartL: null,
  fuelEndL: null,
  airTempC: null,
  trackTempC: null,
  wetness: null,
  windMps: null,
  tread: [],
  leastTread: [],
  trafficShare: null,
}

const numbersOf = (laps: readonly Lap[], logs: readonly LapLog[] | null = null) =>
  findStints(laps, logs).map(stint => stint.laps.map(({ lap }) => lap))

test('ends a stint at the pits and at another simulator session, but not at a reset on the track', () => {
  const laps = [
    aLap(1, ['OUT']),
    aLap(2),
    aLap(3, ['IN']),
    aLap(4, ['OUT']),
    aLap(5, ['JUMP']),
    aLap(6),
    aLap(7, ['IN']),
    // A stop whose box lies before the line leaves no out lap.
    aLap(8),
    aLap(1, [], { session_num: 1 }),
  ]
  assert.deepEqual(numbersOf(laps), [[1, 2, 3], [4, 5, 6, 7], [8], [1]])
  assert.deepEqual(numbersOf([]), [])
})

test('says what changed between stints, and nothing about what is not recorded', () => {
  const laps = [aLap(1, ['OUT']), aLap(2), aLap(3, ['IN']), aLap(4, ['OUT']), aLap(5)]
  const logs = laps.map((_, i): LapLog => {
    const isSecond = i >= 3
    return {
      ...NO_LOG,
      fuelStartL: isSecond ? 60 - 2 * (i - 3) : 20 - 2 * i,
      fuelEndL: isSecond ? 58 - 2 * (i - 3) : 18 - 2 * i,
      airTempC: 20,
      trackTempC: isSecond ? 33 : 30,
      wetness: isSecond ? 3 : 1,
      windMps: isSecond ? 2.4 : 2,
      tread: [1, 1, 1, 1],
      // The stop measures the first tyres, and changes them within the out lap.
      leastTread: i === 3 ? [0.97, 0.98, 0.99, 0.99] : [1, 1, 1, 1],
    }
  })
  const [first, second] = findStints(laps, logs)
  assert.deepEqual([first!.fuelStartL, first!.fuelEndL, second!.fuelStartL], [20, 14, 60])
  assert.deepEqual(
    [first!.treadStart, first!.treadEnd],
    [
      [1, 1, 1, 1],
      [0.97, 0.98, 0.99, 0.99],
    ],
  )
  assert.deepEqual(second!.treadEnd, [])
  assert.deepEqual(stintChanges(first!, second!), [
    { of: 'fuel', from: 20, to: 60 },
    { of: 'tyres', from: 0.97, to: 1 },
    { of: 'track', from: 30, to: 33 },
    { of: 'wetness', from: 1, to: 3 },
  ])
  const [bare, bareSecond] = findStints(laps, null)
  assert.deepEqual(stintChanges(bare!, bareSecond!), [])
  assert.deepEqual(findStints(laps, logs)[1]!.pace, { bestS: 60.5, medianS: 60.5, spreadS: null })
})

test('calls a lap by its reasons and incidents, and in traffic if a car was close for a tenth of it', () => {
  assert.deepEqual(lapKinds(aLap(1, ['OUT', 'GRID', 'OFF_TRACK']), null), ['out', 'grid', 'incident'])
  assert.deepEqual(lapKinds(aLap(1, ['IN', 'CAUTION']), null), ['in', 'caution'])
  const contact = { kind: 'contact' as const, row_start: 110, row_end: 111 }
  assert.deepEqual(lapKinds(aLap(1, [], { incidents: [contact] }), null), ['incident'])
  assert.deepEqual(lapKinds(aLap(1), { ...NO_LOG, trafficShare: 0.1 }), ['traffic'])
  assert.deepEqual(lapKinds(aLap(1), { ...NO_LOG, trafficShare: 0.09 }), [])
})

test('reads fuel, conditions and traffic of each lap, and leaves out what the file lacks', async () => {
  const source = bytesSource(makeSampleSession())
  const { laps } = await previewSession(source)
  const columns = await readColumns(await openIbt(source), LOG_CHANNELS)
  const logs = lapLogs(columns, laps)
  for (const [i, { fuelStartL, fuelEndL, airTempC, tread, windMps, trafficShare }] of logs.entries()) {
    assert.ok(fuelStartL! > fuelEndL!)
    assert.ok(Math.abs(fuelStartL! - fuelEndL! - laps[i]!.figures!.fuel_used_l!) < 0.01)
    assert.ok(Math.abs(airTempC! - 17.8) < 0.2)
    assert.deepEqual([tread, windMps, trafficShare], [[], null, null])
  }
  // The same laps behind a car: half a second on the second lap, 500 km on the others.
  const speed = columns.byName.get('Speed')!
  const ahead = speed.values.map((mps, row) =>
    row >= laps[1]!.row_start && row <= laps[1]!.row_end ? mps / 2 : 5e5,
  )
  const behind = {
    ...columns,
    byName: new Map([...columns.byName, ['CarDistAhead', { ...speed, name: 'CarDistAhead', values: ahead }]]),
  }
  const kinds = lapLogs(behind, laps).map((log, i) => lapKinds(laps[i]!, log).includes('traffic'))
  assert.deepEqual(kinds.slice(0, 3), [false, true, false])
})

test('reads the tread of recorded tyres, which changes only at a stop', {
  skip: sharedIbtMissing,
}, async () => {
  for (const { name, bytes } of sharedIbtFiles()) {
    const { laps } = await previewSession(bytesSource(bytes))
    const file = await openIbt(bytesSource(bytes))
    const logs = lapLogs(await readColumns(file, LOG_CHANNELS), laps)
    const stints = findStints(laps, logs)
    assert.equal(stints.flatMap(stint => stint.laps).length, laps.length)
    for (const { treadStart, treadEnd } of stints) {
      for (const tread of [...treadStart, ...treadEnd]) assert.ok(tread > 0.9 && tread <= 1)
    }
    if (name.includes('langley-practice')) {
      assert.equal(stints.length, 1)
      assert.ok(Math.min(...stints[0]!.treadEnd) < 0.9995)
    }
    if (name.includes('sebring')) assert.ok(logs.every(({ trafficShare }) => trafficShare === 0))
  }
})
