import type { Column, ColumnValues, Lap } from '@lapwing/telemetry'
import { type LapTrack, lapTrack } from '@lapwing/telemetry/compare'
import { LAPWING_GT } from '../car.ts'
import { buildCircuit, type Road } from '../circuit.ts'
import { driveStint, TICK_S } from '../drive-stint.ts'
import { planStint } from '../plan-stint.ts'

/** A short ring with few corners, on which laps of one driver are as similar as possible. */
const RING: Road = {
  pieces: [
    ['straight', 260],
    [60, 180],
    ['straight', 120],
    [120, -20],
    [120, 20],
    ['straight', 140],
    [60, 180],
  ],
  roomM: 2,
  altitudeM: () => 100,
}

/** Returns laps of one driver at one pace, all with exactly the same time: no two are copies. */
export function consistentLaps(count: number, seed: number): LapTrack[] {
  const circuit = buildCircuit(RING)
  const plan = planStint(circuit, LAPWING_GT, {
    laps: Array.from({ length: count + 2 }, (_, i) => ({ pace: 0.95, seed: seed + i })),
    mistakes: [],
    startsAt: 0.7,
    isFromPits: false,
    stopsAt: 0.1,
  })
  const { ticks, at, speedMps, throttle, brake, steeringRad } = driveStint(plan, circuit)
  const sharesDriven = at.map(samples => (plan.start + samples) / circuit.eastM.length)
  const time = new Float64Array(ticks).map((_, tick) => tick * TICK_S)
  const columns = {
    rows: ticks,
    byName: new Map<string, Column>(
      Object.entries({
        SessionTime: time,
        LapDistPct: sharesDriven.map(share => share % 1),
        Speed: speedMps,
        Throttle: throttle,
        Brake: brake,
        SteeringWheelAngle: steeringRad,
      }).map(([name, values]: [string, ColumnValues]) => [
        name,
        { name, type: 'double', count: 1, unit: '', values },
      ]),
    ),
  }
  return Array.from({ length: count }, (_, i) => {
    const rowStart = sharesDriven.findIndex(share => share >= i + 1)
    const rowEnd = sharesDriven.findIndex(share => share >= i + 2) - 1
    const lap: Lap = { ...LAP, time_s: time[rowEnd]! - time[rowStart]!, row_start: rowStart, row_end: rowEnd }
    const track = lapTrack(columns, lap, { trackLengthM: circuit.lengthM })!
    const stretch = LAP_S / track.time.at(-1)!
    return { ...track, time: track.time.map(timeS => timeS * stretch) }
  })
}

const LAP_S = 30

const LAP: Lap = {
  lap: 1,
  is_completed: true,
  is_clean: true,
  reasons: [],
  time_s: LAP_S,
  time_fmt: '0:30.000',
  time_source: 'official',
  row_start: 0,
  row_end: 0,
  incidents: [],
  session_num: 0,
  session_name: null,
}
