import type { CornerFigures } from '@lapwing/telemetry/compare'
import { formatSpeed } from '#shared/format/speed.ts'
import type { SpeedUnit } from '#shared/preferences/units.ts'

/** Metres. The figures of a lap are right within two. */
const LEAST_M = 3
/** m/s. Two speeds that differ by less can round to different numbers. */
const LEAST_MPS = 0.2

/**
 * Says in one or two sentences what a driver did otherwise in a corner. The first is about the way to the apex, the
 * second about the way out. Uses the numbers as the table shows them. Null if there is nothing to compare.
 */
export function cornerSentence(lap: CornerFigures, reference: CornerFigures, unit: SpeedUnit): string | null {
  const sentences = [
    [entry(lap, reference), slowest(lap, reference, unit)],
    [throttle(lap, reference), exit(lap, reference, unit)],
  ]
    .map(clauses => clauses.filter(clause => clause !== null))
    .filter(clauses => clauses.length > 0)
    .map(clauses => `You ${clauses.join(' and ')}.`)
  if (sentences.length > 0) return sentences.join(' ')
  return speeds(lap.minSpeedMps, reference.minSpeedMps, unit) === null
    ? null
    : `You drove it like the reference, within ${LEAST_M} m and 1 ${unit}.`
}

/** Returns what differed most before the apex: the begin of the braking or its end, or else the lift. */
function entry(lap: CornerFigures, reference: CornerFigures): string | null {
  if (onlyLifts(lap) && brakes(reference)) return 'only lifted where the reference braked'
  if (brakes(lap) && onlyLifts(reference)) return 'braked where the reference only lifted'
  const brake = later(lap.brakeM, reference.brakeM)
  const release = later(lap.releaseM, reference.releaseM)
  if (brake !== 0 && Math.abs(brake) >= Math.abs(release)) return `braked ${metresLater(brake)}`
  if (release !== 0) return `released the brake ${metresLater(release)}`
  const lift = onlyLifts(lap) && onlyLifts(reference) ? later(lap.liftM, reference.liftM) : 0
  return lift === 0 ? null : `lifted ${metresLater(lift)}`
}

function slowest(lap: CornerFigures, reference: CornerFigures, unit: SpeedUnit): string | null {
  const apex = later(lap.apexM, reference.apexM)
  const least = speeds(lap.minSpeedMps, reference.minSpeedMps, unit)
  const at = lap.apexM === null ? '' : ` at ${Math.round(lap.apexM)} m`
  if (least === null || least.faster === 0) {
    return apex === 0 ? null : `were slowest ${metresLater(apex)},${at}`
  }
  const compared = `${least.words}${at}`
  if (apex !== 0) return `were slowest ${metresLater(apex)}: ${compared}`
  return `were ${least.faster > 0 ? 'faster' : 'slower'} at the apex: ${compared}`
}

function throttle(lap: CornerFigures, reference: CornerFigures): string | null {
  const on = later(lap.throttleM, reference.throttleM)
  return on === 0 ? null : `were back on the throttle ${metresLater(on)}`
}

function exit(lap: CornerFigures, reference: CornerFigures, unit: SpeedUnit): string | null {
  const left = speeds(lap.exitSpeedMps, reference.exitSpeedMps, unit)
  return left === null || left.faster === 0 ? null : `left at ${left.words}`
}

const brakes = ({ brakeM, releaseM }: CornerFigures) => brakeM !== null || releaseM !== null

/** As in the table: a driver who does not brake has the place of the lift. */
const onlyLifts = (figures: CornerFigures) => !brakes(figures) && figures.liftM !== null

/** Returns by how many of the shown metres the lap came later; 0 if that says nothing or one is unknown. */
function later(lap: number | null, reference: number | null): number {
  if (lap === null || reference === null) return 0
  const metres = Math.round(lap) - Math.round(reference)
  return Math.abs(metres) >= LEAST_M ? metres : 0
}

const metresLater = (metres: number) => `${Math.abs(metres)} m ${metres > 0 ? 'later' : 'earlier'}`

/** Compares two speeds as they are shown; null if one is unknown. */
function speeds(lap: number | null, reference: number | null, unit: SpeedUnit) {
  if (lap === null || reference === null) return null
  const [own, other] = [formatSpeed(lap, unit), formatSpeed(reference, unit)]
  const isSame = Math.abs(lap - reference) < LEAST_MPS
  return { words: `${own} against ${other} ${unit}`, faster: isSame ? 0 : Number(own) - Number(other) }
}
