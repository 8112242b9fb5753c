import type { LapTrack } from '@lapwing/telemetry/compare'
import { type Circuit, valueAt } from '../circuit.ts'
import { type Drive, TICK_S } from '../drive-stint.ts'
import type { StintPlan } from '../plan-stint.ts'

/** Returns the whole laps of a drive over their distance, without the way over a file. */
export function lapTracks(plan: StintPlan, circuit: Circuit, drive: Drive): LapTrack[] {
  const perLap = circuit.eastM.length
  const laps = drive.at.map(at => (plan.start + at) / perLap)
  const tracks: LapTrack[] = []
  for (let lap = Math.ceil(laps[0]!); lap + 1 <= laps.at(-1)!; lap++) {
    tracks.push(trackOf(lap, laps, plan, circuit, drive))
  }
  return tracks
}

function trackOf(lap: number, laps: Float64Array, plan: StintPlan, circuit: Circuit, drive: Drive): LapTrack {
  const perLap = circuit.eastM.length
  const points = Math.round(circuit.lengthM) + 1
  const float = () => new Float32Array(points)
  const double = () => new Float64Array(points)
  const [pct, time, lat, lon] = [double(), double(), double(), double()]
  const [speed, throttle, brake, rpm, steering] = [float(), float(), float(), float(), float()]
  const gear = new Int8Array(points)
  let tick = 0
  for (let i = 0; i < points; i++) {
    pct[i] = i / (points - 1)
    const at = lap + pct[i]!
    while (tick < laps.length - 2 && laps[tick + 1]! < at) tick++
    const share = (at - laps[tick]!) / (laps[tick + 1]! - laps[tick]!)
    const between = (values: Float64Array) => values[tick]! + (values[tick + 1]! - values[tick]!) * share
    time[i] = (tick + share) * TICK_S
    speed[i] = between(drive.speedMps)
    throttle[i] = between(drive.throttle)
    brake[i] = between(drive.brake)
    rpm[i] = between(drive.rpm)
    steering[i] = between(drive.steeringRad)
    gear[i] = drive.gear[share < 0.5 ? tick : tick + 1]!
    const place = placeOf(at * perLap, plan, circuit)
    lat[i] = ORIGIN.latitude + place.northM / M_PER_DEGREE
    lon[i] = ORIGIN.longitude + place.eastM / (M_PER_DEGREE * Math.cos((ORIGIN.latitude * Math.PI) / 180))
  }
  const openS = time[0]!
  for (let i = 0; i < points; i++) time[i] = time[i]! - openS
  const timeMs = Math.round(1000 * time.at(-1)!)
  return {
    lengthM: circuit.lengthM,
    timeMs,
    pct,
    time,
    throttle,
    brake,
    steering,
    gear,
    rpm,
    speed,
    lat,
    lon,
  }
}

const ORIGIN = { latitude: 55.372, longitude: -2.931 }
const M_PER_DEGREE = 111_320

/** Returns where the car is at a sample of the stint, counted from the first line. */
function placeOf(at: number, { aside, start }: StintPlan, { eastM, northM }: Circuit) {
  const toEast = valueAt(eastM, at + 1) - valueAt(eastM, at - 1)
  const toNorth = valueAt(northM, at + 1) - valueAt(northM, at - 1)
  const step = Math.hypot(toEast, toNorth)
  const i = Math.min(aside.length - 2, Math.max(0, Math.floor(at - start)))
  const left = aside[i]! + (aside[i + 1]! - aside[i]!) * (at - start - i)
  return {
    eastM: valueAt(eastM, at) - (left * toNorth) / step,
    northM: valueAt(northM, at) + (left * toEast) / step,
  }
}
