import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesSource, openIbt, previewSession, readColumns } from '@lapwing/telemetry'
import { makeSampleSession } from './make-sample-session.ts'

const bytes = makeSampleSession()
const file = await openIbt(bytesSource(bytes))
const columns = await readColumns(file, 'all')
const { laps, meta, debug } = await previewSession(bytesSource(bytes))
const values = (name: string) => columns.byName.get(name)!.values

test('returns the same bytes at every call', () => {
  assert.deepEqual(makeSampleSession(), bytes)
})

test('returns a few megabytes with the channels of a real file', () => {
  assert.ok(bytes.byteLength < 8 * 1024 * 1024)
  assert.ok(file.variables.length >= 40)
  assert.equal(file.partial, false)
  assert.deepEqual(debug.missing, [])
})

test('uses a made-up circuit and car', () => {
  assert.deepEqual(
    [meta.track_label, meta.car_label, meta.track_slug, meta.layout, meta.car_slug],
    ['Greywater Park, Grand Prix', 'Lapwing GT', 'greywater-park', 'grand-prix', 'lapwing-gt'],
  )
  // No driver and no track number: it belongs to no board.
  assert.deepEqual([file.session.userId, file.session.trackId], [null, 0])
})

test('has a lap from the pits, four that count, one over the grass and one unfinished', () => {
  assert.deepEqual(
    laps.map(lap => [lap.lap, lap.is_completed, lap.reasons.join(' ')]),
    [
      [0, false, 'NO_OPEN NOT_SCORED OUT'],
      [1, true, ''],
      [2, true, ''],
      [3, true, 'OFF_TRACK INCIDENT'],
      [4, true, ''],
      [5, true, ''],
      [6, false, 'NO_CLOSE'],
    ],
  )
})

test('has lap times that differ like a driver’s', () => {
  const times = laps.filter(lap => lap.is_completed).map(lap => lap.time_s!)
  for (const lap of laps.filter(lap => lap.is_completed)) assert.equal(lap.time_source, 'official')
  assert.ok(Math.max(...times) - Math.min(...times) > 1 && Math.max(...times) - Math.min(...times) < 5)
  for (const [i, timeS] of times.entries()) {
    for (const other of times.slice(i + 1)) assert.ok(Math.abs(timeS - other) > 0.02)
  }
  assert.equal(Math.min(...times), laps[5]!.time_s)
})

test('has official times 38 to 46 rows after the line', () => {
  const last = values('LapLastLapTime')
  for (const lap of laps.slice(1, 6)) {
    let row = lap.row_end + 1
    while (last[row] === last[lap.row_end]) row++
    assert.ok(row - lap.row_end > 38 && row - lap.row_end <= 47, `${row - lap.row_end}`)
  }
})

test('has a blank first row and missing ticks, like real files', () => {
  assert.equal(values('PlayerTrackSurface')[0], -1)
  assert.equal(values('Lat')[0], 0)
  const time = values('SessionTime')
  const steps = Array.from({ length: columns.rows - 2 }, (_, i) => time[i + 2]! - time[i + 1]!)
  assert.equal(steps.filter(step => step > 0.03).length, 5)
  assert.ok(steps.every(step => Math.abs(step - 1 / 60) < 1e-6 || Math.abs(step - 2 / 60) < 1e-6))
})

const flying = (name: string) => values(name).subarray(laps[1]!.row_start, laps[5]!.row_end + 1)

test('stays within what tyres and engine can do', () => {
  const speed = flying('Speed')
  const lateral = flying('LatAccel')
  const along = flying('LongAccel')
  const rpm = flying('RPM')
  const gear = flying('Gear')
  for (let i = 0; i < speed.length; i++) {
    const kmh = speed[i]! * 3.6
    assert.ok(kmh > 50 && kmh < 260, `${kmh} km/h`)
    // Downforce adds to 1.46 g at speed; 3 in 10 more for kerbs, shifts and hills.
    const limit = 1.3 * 1.46 * (9.81 + (1.5 * speed[i]! * speed[i]!) / 1330)
    assert.ok(Math.hypot(lateral[i]!, along[i]!) < limit)
    assert.ok(rpm[i]! > 2000 && rpm[i]! < 7700, `${rpm[i]} rpm`)
    assert.ok(gear[i]! >= 0 && gear[i]! <= 6)
  }
})

test('presses one pedal at a time, except for throttle blips under braking', () => {
  const throttle = flying('Throttle')
  const brake = flying('Brake')
  let run = 0
  for (let i = 0; i < throttle.length; i++) {
    assert.ok(throttle[i]! >= 0 && throttle[i]! <= 1 && brake[i]! >= 0 && brake[i]! <= 1)
    run = throttle[i]! > 0.15 && brake[i]! > 0.15 ? run + 1 : 0
    assert.ok(run <= 6, `${run} ticks on both pedals`)
  }
  const share = (count: number) => count / throttle.length
  assert.ok(share(throttle.filter(value => value === 1).length) > 0.4)
  assert.ok(share(brake.filter(value => value > 0.02).length) > 0.15)
})

test('has the circuit’s corners in each lap: a hairpin, a chicane, a fast sweeper', () => {
  for (const lap of [laps[1]!, laps[5]!]) {
    const part = (name: string) => values(name).subarray(lap.row_start, lap.row_end + 1)
    const speed = part('Speed')
    const share = part('LapDistPct')
    const slowest = speed.indexOf(Math.min(...speed))
    assert.ok(share[slowest]! > 0.3 && share[slowest]! < 0.34)
    // The sweeper is the longest time above 15 m/s² to one side.
    const sweeping = part('LatAccel').filter((value, i) => value < -12 && share[i]! > 0.7 && share[i]! < 0.85)
    assert.ok(sweeping.length > 3 * 60)
  }
})

test('drives each lap on its own line, at most metres apart', () => {
  const lat = values('Lat')
  const lon = values('Lon')
  const pct = values('LapDistPct')
  const [one, two] = [laps[1]!, laps[5]!]
  let widest = 0
  for (let row = one.row_start, other = two.row_start; row <= one.row_end; row += 30) {
    while (pct[other]! < pct[row]! && other < two.row_end) other++
    const north = (lat[row]! - lat[other]!) * 111_326
    const east = (lon[row]! - lon[other]!) * 63_410
    widest = Math.max(widest, Math.hypot(north, east))
  }
  // Two rows are up to 1.1 m apart on the same line.
  assert.ok(widest > 1.3 && widest < 5, `${widest} m`)
})
