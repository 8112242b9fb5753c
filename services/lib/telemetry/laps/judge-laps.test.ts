import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Columns } from '../columns.ts'
import {
  channel,
  HZ,
  pickRows,
  positionAt,
  type SyntheticLaps,
  type SyntheticLapsOptions,
  syntheticLaps,
  without,
} from '../testing/synthetic-laps.ts'
import { findLaps } from './find-laps.ts'
import type { LapReason } from './lap.ts'
import { LAP_CHANNELS } from './lap-channels.ts'

/** Returns the reasons of the three whole laps of a session with one change. */
function reasonsOf(
  change: (session: SyntheticLaps) => Columns | undefined,
  options: SyntheticLapsOptions = {},
): LapReason[][] {
  const session = syntheticLaps(options)
  const columns = change(session) ?? session.columns
  return findLaps(columns, session.facts)
    .slice(1, -1)
    .map(lap => [...lap.reasons])
}

/** Returns the row that many seconds after the line of whole lap 0, 1 or 2. */
const rowAt = ({ lineRows }: SyntheticLaps, lap: number, seconds: number): number =>
  lineRows[lap]! + Math.round(seconds * HZ)

const fill =
  (name: string, lap: number, fromS: number, rows: number, value: number) => (session: SyntheticLaps) => {
    const row = rowAt(session, lap, fromS)
    channel(session, name).fill(value, row, row + rows)
    return undefined
  }

const rowsWithout = (session: SyntheticLaps, from: number, count: number): Columns =>
  pickRows(
    session.columns,
    Array.from({ length: session.columns.rows }, (_, i) => i).filter(
      row => row < from || row >= from + count,
    ),
  )

const clean: LapReason[] = []

test('finds no reasons in an even session', () => {
  assert.deepEqual(
    reasonsOf(() => undefined),
    [clean, clean, clean],
  )
})

test('accepts a track across the 180th meridian', () => {
  const reasons = reasonsOf(session => {
    const lon = channel(session, 'Lon')
    const middle = lon[0]!
    for (let row = 0; row < lon.length; row++) {
      const moved = lon[row]! - middle + 180
      lon[row] = moved >= 180 ? moved - 360 : moved
    }
    assert.ok(lon.some(value => value < -179.9) && lon.some(value => value > 179.9))
    return undefined
  })
  assert.deepEqual(reasons, [clean, clean, clean])
})

/** Moves LapDistPct ahead by a step that disappears over 20 s, without moving the car on the ground. */
const stepAhead = (step: number, pct: number) => (session: SyntheticLaps) => {
  const values = channel(session, 'LapDistPct')
  let row = session.lineRows[1]!
  while (values[row - 1]! < pct || values[row - 1]! > 0.9) row++
  for (let i = 0; i < 20 * HZ; i++) values[row + i] = values[row + i]! + step * (1 - i / (20 * HZ))
  return undefined
}

test('JUMP: finds a step of LapDistPct over 0.02, and not one under', () => {
  // From the first row of one hundredth of the lap to the last of the next, so that each has a row.
  assert.deepEqual(reasonsOf(stepAhead(0.0192, 0.5)), [clean, clean, clean])
  assert.deepEqual(reasonsOf(stepAhead(0.0201, 0.5)), [clean, ['JUMP'], clean])
  assert.deepEqual(reasonsOf(stepAhead(-0.0199, 0.5)), [clean, clean, clean])
  assert.deepEqual(reasonsOf(stepAhead(-0.0205, 0.5)), [clean, ['JUMP'], clean])
})

test('JUMP: finds a hundredth of the lap without a row, although the step is small', () => {
  assert.deepEqual(reasonsOf(stepAhead(0.0192, 0.5095)), [clean, ['JUMP'], clean])
})

test('no JUMP for missing ticks on a short track at high speed', () => {
  // 250 m at 187 km/h: three ticks are 2.6 m, and 1 % of the lap is 2.5 m.
  const options = { lapTimesS: [4.8, 4.8, 4.8], lengthM: 250, rowsAfter: 200, scores: [4.8, 4.8001, 4.8] }
  // Few of these leave a whole hundredth without a row.
  for (let offset = 0; offset < HZ; offset++) {
    const reasons = reasonsOf(session => rowsWithout(session, rowAt(session, 1, 1) + offset, 2), options)
    assert.deepEqual(reasons, [clean, clean, clean])
  }
})

test('no JUMP if the line falls into missing ticks', () => {
  for (const first of [-1, -2, 0]) {
    assert.deepEqual(
      reasonsOf(session => rowsWithout(session, session.lineRows[1]! + first, 2)),
      [clean, clean, clean],
    )
  }
})

/** Resets the car from 0.384 of a lap to a stall at 0.133, from which it drives on. */
function resetInLap(session: SyntheticLaps): Columns {
  const { columns, lineRows } = session
  const at = (pct: number) => rowAt(session, 1, pct * 58)
  const rows: (number | null)[] = []
  for (let row = 0; row <= at(0.384); row++) rows.push(row)
  rows.push(null)
  for (let row = at(0.133); row < columns.rows; row++) rows.push(row)
  const picked = pickRows(columns, rows)
  const time = picked.byName.get('SessionTime')!.values
  const score = picked.byName.get('LapLastLapTime')!.values
  const scoredWith = rows.indexOf(lineRows[2]! + 45)
  for (let i = 0; i < rows.length; i++) {
    time[i] = 1000 + i / HZ
    if (i >= scoredWith) score[i] = -1
  }
  return picked
}

test('JUMP: splits a lap with a reset into two laps of one number, although it could be timed', () => {
  const session = syntheticLaps()
  for (const columns of [
    resetInLap(session),
    without(resetInLap(session), 'PlayerTrackSurface'),
    without(resetInLap(session), 'Lat', 'Lon'),
  ]) {
    const laps = findLaps(columns, session.facts)
    assert.deepEqual(
      laps.map(lap => lap.lap),
      [1, 2, 3, 3, 4, 5],
    )
    const [, , before, after] = laps
    for (const lap of [before, after]) {
      assert.ok(lap!.reasons.includes('JUMP'))
      assert.equal(lap!.is_completed, false)
      assert.equal(lap!.time_s, null)
    }
    assert.ok(after!.reasons.includes('NOT_SCORED'))
  }
})

test('JUMP: closes no lap at a reset onto the line', () => {
  const session = syntheticLaps()
  const { columns, lineRows } = session
  const from = rowAt(session, 1, 0.95 * 58)
  const to = lineRows[2]! + 60
  const rows = Array.from({ length: columns.rows }, (_, i) => i).filter(row => row <= from || row >= to)
  const picked = pickRows(columns, [...rows.slice(0, from + 1), null, ...rows.slice(from + 1)])
  const time = picked.byName.get('SessionTime')!.values
  for (let row = 0; row < picked.rows; row++) time[row] = 1000 + row / HZ
  const laps = findLaps(picked, session.facts)
  assert.ok(laps[2]!.reasons.includes('NO_CLOSE') && laps[2]!.reasons.includes('JUMP'))
  assert.ok(laps[3]!.reasons.includes('NO_OPEN') && laps[3]!.reasons.includes('JUMP'))
})

test('JUMP: opens no valid lap if the car rolls back over the line', () => {
  const session = syntheticLaps()
  const pct = channel(session, 'LapDistPct')
  const line = session.lineRows[1]!
  pct.set([0.0003, 0.9998, 0.9997, 0.9999], line)
  const laps = findLaps(session.columns, session.facts)
  assert.equal(laps.length, 6)
  assert.deepEqual(laps[1]!.reasons, [])
  assert.equal(laps[1]!.time_s, 60)
  assert.ok(laps[2]!.reasons.includes('JUMP'))
  assert.notEqual(laps[2]!.time_source, 'official')
})

test('TIME_MISMATCH: official and interpolated time over 20 ms apart, and not under', () => {
  const scoredWith = (score: number) => reasonsOf(() => undefined, { scores: [60, score, 59] })
  for (const score of [57.981, 58.019]) assert.deepEqual(scoredWith(score), [clean, clean, clean])
  for (const score of [57.979, 58.021]) assert.deepEqual(scoredWith(score), [clean, ['TIME_MISMATCH'], clean])
})

test('accepts a lap clock that restarts 2 s after the line', () => {
  const reasons = reasonsOf(
    session => {
      const clock = channel(session, 'LapCurrentLapTime')
      const line = session.lineRows[1]!
      for (let row = line; row < line + 2 * HZ; row++) clock[row] = clock[line - 1]! + (row - line + 1) / HZ
      return undefined
    },
    { lapTimesS: [40, 58, 59] },
  )
  assert.deepEqual(reasons, [clean, clean, clean])
})

test('NOT_SCORED: returns the interpolated time if the score is -1', () => {
  const session = syntheticLaps({ scores: [60, -1, 59] })
  const lap = findLaps(session.columns, session.facts)[2]!
  assert.deepEqual(lap.reasons, ['NOT_SCORED'])
  assert.equal(lap.time_source, 'interpolated')
  assert.ok(Math.abs(lap.time_s! - 58) < 1e-3)
})

test('NOT_SCORED: finds a second refused lap, whose score is -1 again', () => {
  assert.deepEqual(
    reasonsOf(() => undefined, { scores: [60, -1, -1] }),
    [clean, ['NOT_SCORED'], ['NOT_SCORED']],
  )
})

const PIT_CHANNELS: readonly (readonly [name: string, value: number])[] = [
  ['OnPitRoad', 1],
  ['PlayerCarInPitStall', 1],
  ['PlayerTrackSurface', 1],
  ['PlayerTrackSurface', 2],
  ['PlayerCarTowTime', 0.5],
]

for (const [name, value] of PIT_CHANNELS) {
  test(`OUT before the middle of the lap, IN after it: ${name} ${value}`, () => {
    assert.deepEqual(reasonsOf(fill(name, 1, 10, 90, value)), [clean, ['OUT'], clean])
    assert.deepEqual(reasonsOf(fill(name, 1, 50, 90, value)), [clean, ['IN'], clean])
  })
}

test('OUT and IN: a pit stop makes an in lap and an out lap', () => {
  assert.deepEqual(reasonsOf(fill('OnPitRoad', 0, 55, 10 * HZ, 1)), [['IN'], ['OUT'], clean])
})

test('OUT: a lap that began on the way from the pits, although the simulator scored it', () => {
  // ApproachingPits on its first 40 rows, and before its line.
  const reasons = reasonsOf(session => {
    channel(session, 'PlayerTrackSurface').fill(2, session.lineRows[1]! - 200, session.lineRows[1]! + 40)
    return undefined
  })
  assert.deepEqual(reasons, [['IN'], ['OUT'], clean])
})

test('OUT: one row at the line is enough', () => {
  assert.deepEqual(reasonsOf(fill('PlayerTrackSurface', 1, 0, 1, 2)), [clean, ['OUT'], clean])
})

test('neither OUT nor IN for half a second over the pit road at speed, but for longer, and for a slow car', () => {
  assert.deepEqual(reasonsOf(fill('OnPitRoad', 1, 50, 30, 1)), [clean, clean, clean])
  assert.deepEqual(reasonsOf(fill('OnPitRoad', 1, 50, 32, 1)), [clean, ['IN'], clean])
  const slow = reasonsOf(session => {
    channel(session, 'Speed').fill(14, rowAt(session, 1, 50) + 1, rowAt(session, 1, 50) + 2)
    return fill('OnPitRoad', 1, 50, 5, 1)(session)
  })
  assert.deepEqual(slow, [clean, ['IN'], clean])
})

test('not IN: metres from a stall to the line, before the out lap', () => {
  const inStall = (speedMps: number) => {
    const session = syntheticLaps()
    const [line] = session.lineRows
    channel(session, 'OnPitRoad').fill(1, line! - 60, line! + 60)
    channel(session, 'Speed').fill(speedMps, line! - 60, line! - 50)
    const rows = Array.from({ length: session.columns.rows - line! + 60 }, (_, i) => line! - 60 + i)
    const laps = findLaps(pickRows(session.columns, rows), session.facts)
    return laps.slice(0, 2).map(({ reasons }) => reasons)
  }
  const [before, out] = inStall(0)
  assert.deepEqual(before, ['NO_OPEN'])
  assert.ok(out!.includes('OUT'))
  // A car that moves where the recording begins was on its way in.
  assert.deepEqual(inStall(12)[0], ['NO_OPEN', 'IN'])
})

test('IN: a car that began in its stall, and comes back to it in the same lap', () => {
  const session = syntheticLaps({ from: 0.55 })
  const [line] = session.lineRows
  channel(session, 'OnPitRoad').fill(1, 0, 60)
  channel(session, 'Speed').fill(0, 0, 10)
  channel(session, 'OnPitRoad').fill(1, line! - 100, line! - 1)
  assert.ok(findLaps(session.columns, session.facts)[0]!.reasons.includes('IN'))
})

test('GAP: rows missing for over 0.1 s, and not for 0.1 s', () => {
  assert.deepEqual(
    reasonsOf(session => rowsWithout(session, rowAt(session, 1, 20), 5)),
    [clean, clean, clean],
  )
  assert.deepEqual(
    reasonsOf(session => rowsWithout(session, rowAt(session, 1, 20), 6)),
    [clean, ['GAP'], clean],
  )
})

test('GAP: rows missing at the line affect both laps', () => {
  assert.deepEqual(
    reasonsOf(session => rowsWithout(session, session.lineRows[1]! - 3, 6)),
    [['GAP'], ['GAP'], clean],
  )
})

test('GAP: a distance or time that is not finite', () => {
  for (const name of ['LapDistPct', 'SessionTime']) {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      assert.deepEqual(reasonsOf(fill(name, 1, 20, 1, value)), [clean, ['GAP'], clean], `${name} ${value}`)
    }
  }
})

test('GAP: time that runs backwards', () => {
  const reasons = reasonsOf(session => {
    const time = channel(session, 'SessionTime')
    const row = rowAt(session, 1, 20)
    time[row] = time[row - 1]! - 0.01
    return undefined
  })
  assert.deepEqual(reasons, [clean, ['GAP'], clean])
})

const fasterBy = (share: number) => (session: SyntheticLaps) => {
  const speed = channel(session, 'Speed')
  for (let row = session.lineRows[1]!; row < session.lineRows[2]!; row++) speed[row] = speed[row]! * share
  return undefined
}

test("IMPLAUSIBLE: a distance over 1 % from the lap's, and not under", () => {
  for (const share of [0.991, 1.009]) assert.deepEqual(reasonsOf(fasterBy(share)), [clean, clean, clean])
  for (const share of [0.989, 1.011]) {
    assert.deepEqual(reasonsOf(fasterBy(share)), [clean, ['IMPLAUSIBLE'], clean])
  }
})

test('allows 15 m on a short oval, where a wide line is that much longer', () => {
  const oval = { lapTimesS: [15, 15.1, 15.2], lengthM: 580 }
  for (const share of [1 - 14 / 580, 1 + 14 / 580]) {
    assert.deepEqual(reasonsOf(fasterBy(share), oval), [clean, clean, clean])
  }
  for (const share of [1 - 16 / 580, 1 + 16 / 580]) {
    assert.deepEqual(reasonsOf(fasterBy(share), oval), [clean, ['IMPLAUSIBLE'], clean])
  }
})

test('accepts a lap along the wall of an oval, longer than stated, if its positions confirm it', () => {
  for (const [lengthM, metresOut] of [
    [580, 8],
    [2400, 13],
  ] as const) {
    const alongTheWall =
      (speedBy: number, outBy: number) =>
      (session: SyntheticLaps): undefined => {
        fasterBy(1 + (2 * Math.PI * speedBy) / lengthM)(session)
        const [lat, lon, pct] = (['Lat', 'Lon', 'LapDistPct'] as const).map(name => channel(session, name))
        for (let row = session.lineRows[1]!; row < session.lineRows[2]!; row++) {
          const wider = (lengthM + 2 * Math.PI * outBy) / lengthM
          const position = positionAt(pct![row]!, lengthM)
          lat![row] = 50 + (position[0] - 50) * wider
          lon![row] = 8 + (position[1] - 8) * wider
        }
      }
    const judged = (speedBy: number, outBy: number) =>
      reasonsOf(alongTheWall(speedBy, outBy), { lengthM, lapTimesS: [30, 31, 32] })
    assert.deepEqual(judged(metresOut, metresOut), [clean, clean, clean])
    // A speed that the positions do not confirm, and a line that is too wide.
    assert.deepEqual(judged(metresOut, 0), [clean, ['IMPLAUSIBLE'], clean])
    assert.deepEqual(judged(17, 17), [clean, ['IMPLAUSIBLE'], clean])
  }
})

/** Drives the middle lap on another line all the way round, by position and speed. */
const otherLine =
  (lengthM: number, groundM: number, speedM: number) =>
  (session: SyntheticLaps): undefined => {
    fasterBy((lengthM + speedM) / lengthM)(session)
    const [lat, lon, pct] = (['Lat', 'Lon', 'LapDistPct'] as const).map(name => channel(session, name))
    for (let row = session.lineRows[1]!; row < session.lineRows[2]!; row++) {
      const [north, east] = positionAt(pct![row]!, lengthM)
      lat![row] = 50 + ((north - 50) * (lengthM + groundM)) / lengthM
      lon![row] = 8 + ((east - 8) * (lengthM + groundM)) / lengthM
    }
  }

test('accepts a lap along the inside of a wide oval, up to 3 % shorter than stated, if its positions confirm it', () => {
  const judged = (groundShare: number, speedShare: number) =>
    reasonsOf(otherLine(2400, groundShare * 2400, speedShare * 2400), {
      lengthM: 2400,
      lapTimesS: [30, 31, 32],
    })[1]
  assert.deepEqual(judged(-0.025, -0.025), clean)
  assert.deepEqual(judged(-0.029, -0.029), clean)
  assert.deepEqual(judged(-0.032, -0.032), ['IMPLAUSIBLE'])
  assert.deepEqual(judged(0, -0.025), ['IMPLAUSIBLE'])
  const silent = reasonsOf(
    session => {
      otherLine(2400, -60, -60)(session)
      return without(session.columns, 'Lat', 'Lon')
    },
    { lengthM: 2400, lapTimesS: [30, 31, 32] },
  )
  assert.deepEqual(silent[1], ['IMPLAUSIBLE', 'UNVERIFIABLE'])
})

test('IMPLAUSIBLE: a shorter lap whose positions are absent for over 0.1 s, because they cannot confirm it', () => {
  const judged = (rows: number) =>
    reasonsOf(
      session => {
        otherLine(2400, -60, -60)(session)
        for (const name of ['Lat', 'Lon']) fill(name, 1, 15, rows, 0)(session)
        return undefined
      },
      { lengthM: 2400, lapTimesS: [30, 31, 32] },
    )[1]
  assert.deepEqual(judged(5), clean)
  assert.deepEqual(judged(6), ['IMPLAUSIBLE'])
})

/**
 * Drives the middle lap over a detour that leaves the road and returns, with a speed that is a share of its
 * length.
 */
const detour =
  (bulge: number, speedShare: number, lengthM: number) =>
  (session: SyntheticLaps): undefined => {
    const [lat, lon, pct, speed] = (['Lat', 'Lon', 'LapDistPct', 'Speed'] as const).map(name =>
      channel(session, name),
    )
    const eastShare = Math.cos((50 * Math.PI) / 180)
    for (let row = session.lineRows[1]!; row < session.lineRows[2]!; row++) {
      const [north, east] = positionAt(pct![row]!, lengthM)
      const wider = 1 + bulge * (1 - Math.cos(2 * Math.PI * pct![row]!))
      lat![row] = 50 + (north - 50) * wider
      lon![row] = 8 + (east - 8) * wider
      const stepM =
        Math.hypot(lat![row]! - lat![row - 1]!, (lon![row]! - lon![row - 1]!) * eastShare) * 111_195
      speed![row] = stepM * HZ * speedShare
    }
  }

test('JOKER: accepts a joker lap of any length that its positions confirm', () => {
  const options = { lengthM: 1000, lapTimesS: [30, 31, 32] }
  const joker = (bulge: number, speedShare: number) =>
    reasonsOf(session => {
      detour(bulge, speedShare, options.lengthM)(session)
      return fill('SessionOnJokerLap', 1, 3, 1200, 1)(session)
    }, options)[1]
  for (const bulge of [-0.2, -0.05, 0.01, 0.12, 0.4, 0.9]) {
    assert.deepEqual(joker(bulge, 1), ['JOKER'], `${bulge}`)
    assert.deepEqual(joker(bulge, 1.03), ['IMPLAUSIBLE', 'JOKER'], `${bulge}`)
    assert.deepEqual(joker(bulge, 0.97), ['IMPLAUSIBLE', 'JOKER'], `${bulge}`)
  }
  assert.deepEqual(reasonsOf(detour(0.12, 1, options.lengthM), options)[1], ['IMPLAUSIBLE'])
})

test('skips single rows without a position, at the line too', () => {
  for (const seconds of [0, 20, 57.97]) {
    for (const value of [0, Number.NaN, Number.POSITIVE_INFINITY]) {
      const reasons = reasonsOf(session => {
        fill('Lat', 1, seconds, 1, value)(session)
        return fill('Lon', 1, seconds, 1, value)(session)
      })
      assert.deepEqual(reasons, [clean, clean, clean], `${seconds} s ${value}`)
    }
  }
})

test('UNVERIFIABLE: no positions in over 1 % of a lap, or at its line', () => {
  const frozen = (fromS: number, rows: number) =>
    reasonsOf(session => {
      const row = rowAt(session, 1, fromS)
      for (const name of ['Lat', 'Lon'])
        channel(session, name).fill(channel(session, name)[row]!, row, row + rows)
    })
  assert.deepEqual(frozen(20, 5 * HZ), [clean, ['UNVERIFIABLE'], clean])
  assert.deepEqual(frozen(20, 30), [clean, clean, clean])
  assert.deepEqual(frozen(-0.25, 30), [['UNVERIFIABLE'], ['UNVERIFIABLE'], clean])
})

test('UNVERIFIABLE: all positions of the file are 0/0, frozen or not finite', () => {
  for (const value of [0, 50, Number.NaN]) {
    const reasons = reasonsOf(session => {
      for (const name of ['Lat', 'Lon']) channel(session, name).fill(value)
    })
    const missing = reasonsOf(({ columns }) => without(columns, 'Lat', 'Lon'))
    assert.deepEqual(reasons, missing, String(value))
    assert.deepEqual(reasons, [['UNVERIFIABLE'], ['UNVERIFIABLE'], ['UNVERIFIABLE']])
  }
})

test('accepts a trip over the grass that is longer than the lap, but not one that is shorter', () => {
  const offTrack = (share: number) =>
    reasonsOf(session => {
      fasterBy(share)(session)
      return fill('PlayerTrackSurface', 1, 20, 60, 0)(session)
    })
  assert.deepEqual(offTrack(1.05), [clean, ['OFF_TRACK'], clean])
  assert.deepEqual(offTrack(1.11), [clean, ['IMPLAUSIBLE', 'OFF_TRACK'], clean])
  assert.deepEqual(offTrack(0.98), [clean, ['IMPLAUSIBLE', 'OFF_TRACK'], clean])
})

test('IMPLAUSIBLE: a mean speed that no car has, and not one of the fastest oval', () => {
  const lapsOf = (meanMps: number) =>
    reasonsOf(() => undefined, { lapTimesS: [20, 20.1, 20.2], lengthM: 20 * meanMps })
  assert.deepEqual(lapsOf(128), [clean, clean, clean])
  assert.deepEqual(lapsOf(132), [['IMPLAUSIBLE'], ['IMPLAUSIBLE'], ['IMPLAUSIBLE']])
})

test('accepts a lap with a single speed that is not a number', () => {
  assert.deepEqual(reasonsOf(fill('Speed', 1, 20, 3, Number.NaN)), [clean, clean, clean])
})

test('OFF_TRACK: one row off the track makes a complete lap unclean', () => {
  const session = syntheticLaps()
  fill('PlayerTrackSurface', 1, 20, 1, 0)(session)
  const lap = findLaps(session.columns, session.facts)[2]!
  assert.deepEqual(lap.reasons, ['OFF_TRACK'])
  assert.equal(lap.is_completed, true)
  assert.equal(lap.is_clean, false)
})

test('INCIDENT: the count rises, from any value at the start', () => {
  assert.deepEqual(reasonsOf(fill('PlayerCarMyIncidentCount', 1, 20, 20_000, 14)), [
    clean,
    ['INCIDENT'],
    clean,
  ])
})

test('INCIDENT: a pulse for a wall touch that costs nothing', () => {
  assert.deepEqual(reasonsOf(fill('PlayerIncidents', 1, 20, 1, 0x5)), [clean, ['INCIDENT'], clean])
})

test('INCIDENT: a rise within a second after the line without a cause belongs to the lap before', () => {
  const riseAt = (seconds: number) => fill('PlayerCarMyIncidentCount', 2, seconds, 20_000, 13)
  for (const seconds of [0, 0.5, 0.98]) {
    assert.deepEqual(reasonsOf(riseAt(seconds)), [clean, ['INCIDENT'], clean], `${seconds} s`)
  }
  assert.deepEqual(reasonsOf(riseAt(1.02)), [clean, clean, ['INCIDENT']])
})

test('INCIDENT: a rise within a second after the line with a cause in the new lap belongs to it', () => {
  const withCause = (name: string, value: number) =>
    reasonsOf(session => {
      fill(name, 2, 0.3, 3, value)(session)
      return fill('PlayerCarMyIncidentCount', 2, 0.8, 20_000, 13)(session)
    })
  assert.deepEqual(withCause('PlayerTrackSurface', 0), [clean, clean, ['OFF_TRACK', 'INCIDENT']])
  assert.deepEqual(withCause('PlayerIncidents', 0x5), [clean, clean, ['INCIDENT']])
})

test('no INCIDENT if the count falls back to 0', () => {
  assert.deepEqual(reasonsOf(fill('PlayerCarMyIncidentCount', 1, 20, 20_000, 0)), [clean, clean, clean])
})

test('CAUTION: yellow flags and the pace car; not the flags that practice always shows', () => {
  const shown = 0x10040200
  for (const flag of [0x8, 0x100, 0x4000, 0x8000]) {
    assert.deepEqual(reasonsOf(fill('SessionFlags', 1, 20, 1, shown | flag)), [clean, ['CAUTION'], clean])
  }
  for (const flag of [0x1, 0x2, 0x4, 0x20, 0x400, 0x40000]) {
    assert.deepEqual(reasonsOf(fill('SessionFlags', 1, 20, 600, shown | flag)), [clean, clean, clean])
  }
  for (const mode of [0, 1, 2, 3]) {
    assert.deepEqual(reasonsOf(fill('PaceMode', 1, 20, 1, mode)), [clean, ['CAUTION'], clean])
  }
})

test('GRID: a lap from a standing start, before or after its line', () => {
  for (const light of [0x20000000, 0x40000000, 0x80000000]) {
    const standing = (lap: number, seconds: number) => (session: SyntheticLaps) => {
      fill('SessionFlags', lap, seconds, 30, light)(session)
      // Standing by the clock, so that the distance driven remains the lap's.
      return fill('Speed', lap, seconds, 2, 0)(session)
    }
    assert.deepEqual(reasonsOf(standing(0, 58)), [['GRID'], ['GRID'], clean])
    assert.deepEqual(reasonsOf(standing(1, 3)), [clean, ['GRID'], clean])
  }
})

test('no GRID for a rolling start under the same lights', () => {
  assert.deepEqual(reasonsOf(fill('SessionFlags', 1, 0, 300, 0x80000000)), [clean, clean, clean])
})

test('JOKER: a joker lap', () => {
  assert.deepEqual(reasonsOf(fill('SessionOnJokerLap', 1, 20, 200, 1)), [clean, ['JOKER'], clean])
})

test('UNVERIFIABLE: exactly if a channel of need verdict is missing', () => {
  for (const { name, need } of LAP_CHANNELS) {
    if (need === 'laps') continue
    const session = syntheticLaps()
    const laps = findLaps(without(session.columns, name), session.facts)
    for (const lap of laps) assert.equal(lap.reasons.includes('UNVERIFIABLE'), need === 'verdict', name)
  }
})

test('UNVERIFIABLE: the speed of a lap is unknown, fully or in part', () => {
  const speedless = (share: number) => (session: SyntheticLaps) => {
    const rows = session.lineRows[2]! - session.lineRows[1]!
    channel(session, 'Speed').fill(Number.NaN, session.lineRows[1]!, session.lineRows[1]! + share * rows)
    return undefined
  }
  for (const share of [1, 0.5, 0.02]) {
    assert.deepEqual(reasonsOf(speedless(share)), [clean, ['UNVERIFIABLE'], clean], String(share))
  }
  assert.deepEqual(reasonsOf(speedless(0.009)), [clean, clean, clean])
})

test('UNVERIFIABLE: the length of the lap is unknown', () => {
  const session = syntheticLaps()
  const { columns } = session
  const unknown = { trackLengthM: null }
  for (const lap of findLaps(columns, unknown)) assert.ok(!lap.reasons.includes('UNVERIFIABLE'))
  for (const lap of findLaps(without(columns, 'LapDist'), unknown)) {
    assert.ok(lap.reasons.includes('UNVERIFIABLE'))
  }
  for (const metres of [0, -1, Number.NaN]) {
    channel(session, 'LapDist').fill(metres)
    for (const lap of findLaps(columns, unknown)) assert.ok(lap.reasons.includes('UNVERIFIABLE'), `${metres}`)
  }
})

test('accepts a row that is in the file twice: no TIME_MISMATCH, no IMPLAUSIBLE', () => {
  const session = syntheticLaps()
  const rows = Array.from({ length: session.columns.rows }, (_, row) => row)
  const twice = rows.flatMap(row => (row % 100 === 50 ? [row, row] : [row]))
  assert.deepEqual(
    reasonsOf(() => pickRows(session.columns, twice)),
    [clean, clean, clean],
  )
})

test('accepts a line crossed far to the left or in a slide: no IMPLAUSIBLE', () => {
  const besideTheLine = (lap: number, asideM: number, slideM: number) => (session: SyntheticLaps) => {
    const lat = channel(session, 'Lat')
    // Out to the left of the way and back, over six seconds around the line.
    const at = session.lineRows[lap]!
    for (let row = at - 180; row < at + 180; row++) {
      const share = 0.5 + 0.5 * Math.cos((Math.PI * (row - at)) / 180)
      lat[row] = lat[row]! + ((asideM + (slideM * (row - at)) / 10) * share) / 111_195
    }
    return undefined
  }
  // At the line of the round track the car goes east, so north is to the left.
  for (const asideM of [-9, 9]) {
    assert.deepEqual(reasonsOf(besideTheLine(1, asideM, 0)), [clean, clean, clean])
    assert.deepEqual(reasonsOf(besideTheLine(1, asideM, 1)), [clean, clean, clean])
  }
})

test('lists all reasons of a lap in the order of the table', () => {
  const session = syntheticLaps({ scores: [60, -1, 59] })
  fill('OnPitRoad', 1, 5, 120, 1)(session)
  fill('OnPitRoad', 1, 50, 120, 1)(session)
  fill('PlayerTrackSurface', 1, 20, 60, 0)(session)
  fill('PlayerIncidents', 1, 20, 1, 2)(session)
  fill('SessionOnJokerLap', 1, 20, 60, 1)(session)
  fill('PaceMode', 1, 30, 60, 1)(session)
  fill('LapDistPct', 1, 40, 1, Number.NaN)(session)
  const lap = findLaps(without(session.columns, 'SessionFlags'), session.facts)[2]!
  assert.deepEqual(lap.reasons, [
    'NOT_SCORED',
    'OUT',
    'IN',
    'GAP',
    'OFF_TRACK',
    'INCIDENT',
    'CAUTION',
    'JOKER',
    'UNVERIFIABLE',
  ])
})

test('uses a round track of the stated length', () => {
  const [lat, lon] = positionAt(0, 2000)
  const [latHalf, lonHalf] = positionAt(0.5, 2000)
  const diameterM = Math.hypot(lat - latHalf, (lon - lonHalf) * Math.cos((50 * Math.PI) / 180)) * 111_195
  assert.ok(Math.abs(diameterM * Math.PI - 2000) < 1)
})
