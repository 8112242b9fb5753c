import { median } from '../corners/track-shape.ts'
import type { Lap } from '../laps/lap.ts'
import type { LapLog } from './lap-log.ts'
import { type LapSpread, lapSpread } from './lap-spread.ts'
import { type MeasuredLaps, measuredLaps, type TimedLap } from './measured-laps.ts'
import { splitStints } from './split-stints.ts'

/** Laps between two visits of the pits, or of one simulator session. */
export interface Stint {
  /** Counts from 1 within the file. */
  readonly number: number
  /** At least one, in the order of the file. */
  readonly laps: readonly Lap[]
  readonly measured: MeasuredLaps
  /** Of the measured laps; null without them. */
  readonly pace: LapSpread | null
  /** Litres when the car left the pits; null if not recorded, as are all values below. */
  readonly fuelStartL: number | null
  readonly fuelEndL: number | null
  /** Litres of the median measured lap. */
  readonly fuelALapL: number | null
  /** Means of the stint in °C, 1 dry to 7 extremely wet, and m/s. */
  readonly airTempC: number | null
  readonly trackTempC: number | null
  readonly wetness: number | null
  readonly windMps: number | null
  /** Mean °C of the measured laps: left front, right front, left rear, right rear. Empty if not recorded. */
  readonly tyreTempsC: readonly number[]
  /** Share of the tread on which the stint began, in the same order. Empty if not recorded. */
  readonly treadStart: readonly number[]
  /** The same as measured at the stop after it; empty if no later stop of its session measured it. */
  readonly treadEnd: readonly number[]
}

/**
 * Returns the stints of a file, split by `splitStints`. `logs` has the log of each lap, or is null if they were not read.
 */
export function findStints(laps: readonly Lap[], logs: readonly LapLog[] | null): readonly Stint[] {
  let end = 0
  return splitStints(laps).map((ofStint, i) => {
    const start = end
    end += ofStint.length
    const measured = measuredLaps(ofStint)
    const log = logs?.slice(start, end) ?? []
    const next = laps[end]?.session_num === laps[start]!.session_num ? (logs?.[end] ?? null) : null
    return {
      number: i + 1,
      laps: ofStint,
      measured,
      pace: lapSpread(measured.laps.map(({ time_s }) => time_s)),
      fuelStartL: log[0]?.fuelStartL ?? null,
      fuelEndL: log.at(-1)?.fuelEndL ?? null,
      fuelALapL: fuelALap(measured.laps),
      airTempC: mean(log.map(({ airTempC }) => airTempC)),
      trackTempC: mean(log.map(({ trackTempC }) => trackTempC)),
      wetness: log.at(-1)?.wetness ?? null,
      windMps: mean(log.map(({ windMps }) => windMps)),
      tyreTempsC: meanTyres(measured.laps),
      ...treads(log, next),
    }
  })
}

/** Returns the litres of the median lap; null if none is recorded. */
export function fuelALap(laps: readonly TimedLap[]): number | null {
  const litres = laps.map(({ figures }) => figures?.fuel_used_l ?? null).filter(used => used !== null)
  return litres.length === 0 ? null : median(litres)
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter(value => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

function meanTyres(laps: readonly TimedLap[]): readonly number[] {
  const recorded = laps.map(({ figures }) => figures?.tyre_temps_c ?? []).filter(({ length }) => length === 4)
  if (recorded.length === 0) return []
  return [0, 1, 2, 3].map(tyre => mean(recorded.map(temps => temps[tyre]!))!)
}

/** @param next the lap after the stint, in which the car can stop; null without one in the same session */
function treads(log: readonly LapLog[], next: LapLog | null): Pick<Stint, 'treadStart' | 'treadEnd'> {
  const [first, ...later] = log
  if (first === undefined || first.tread.length === 0) return { treadStart: [], treadEnd: [] }
  // The first lap contains the stop before it, so its end has the tread of this stint.
  const after = next === null ? later : [...later, next]
  const least = first.tread.map((tread, i) =>
    Math.min(tread, ...after.map(({ leastTread }) => leastTread[i]!)),
  )
  const isMeasured = least.some((tread, i) => tread < first.tread[i]!)
  return { treadStart: first.tread, treadEnd: isMeasured ? least : [] }
}

/** One thing that differs between a stint and the one before it. */
export interface StintChange {
  readonly of: 'fuel' | 'tyres' | 'tyreTemps' | 'air' | 'track' | 'wetness' | 'wind'
  /** Litres, share of the tread, °C, irsdk_TrackWetness or m/s. Of four tyres it is the most worn, or their mean. */
  readonly from: number
  readonly to: number
}

/** Differences that a driver feels. Smaller ones are noise. */
const NOTABLE: Readonly<Record<StintChange['of'], number>> = {
  fuel: 0.5,
  tyres: 0.002,
  tyreTemps: 5,
  air: 0.5,
  track: 1,
  wetness: 1,
  wind: 1,
}

/**
 * Returns what changed from the stint before. `tyres` is a change to tyres with more tread: worn tyres that go on are
 * none.
 */
export function stintChanges(before: Stint, stint: Stint): readonly StintChange[] {
  const worn = (treads: readonly number[]): number | null =>
    treads.length === 0 ? null : Math.min(...treads)
  const change = (of: StintChange['of'], from: number | null, to: number | null): StintChange[] =>
    from !== null && to !== null && Math.abs(to - from) >= NOTABLE[of] ? [{ of, from, to }] : []
  const tread = { before: worn(before.treadEnd) ?? worn(before.treadStart), now: worn(stint.treadStart) }
  return [
    ...change('fuel', before.fuelStartL, stint.fuelStartL),
    ...change('tyres', tread.before, tread.now).filter(({ from, to }) => to > from),
    ...change('tyreTemps', mean(before.tyreTempsC), mean(stint.tyreTempsC)),
    ...change('air', before.airTempC, stint.airTempC),
    ...change('track', before.trackTempC, stint.trackTempC),
    ...change('wetness', before.wetness, stint.wetness),
    ...change('wind', before.windMps, stint.windMps),
  ]
}
