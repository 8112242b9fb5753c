import { type CornerComparison, type CornerFigures, type Manner, mannerOf } from '@lapwing/telemetry/compare'
import { formatDelta } from '#shared/format/delta.ts'
import { formatSpeed } from '#shared/format/speed.ts'
import type { SpeedUnit } from '#shared/preferences/units.ts'

/** Metres. The figures of a lap are right within two. */
const LEAST_M = 3
/** m/s. Two speeds that differ by less can round to different numbers. */
const LEAST_MPS = 0.2

/** Least milliseconds that are worth a word. */
const LEAST_MS = 30

/** Least difference of the shown speeds that a sentence begins with. */
const LEAST_ARRIVAL = 2

/**
 * Says why a stretch cost or gained time. For a corner it says what the driver did otherwise; for a straight, how fast
 * the car came onto it and reached the next corner. Null if there is nothing to say.
 */
export function stretchSentence(
  stretches: readonly CornerComparison[],
  stretch: CornerComparison,
  unit: SpeedUnit,
): string | null {
  const { kind, lap, reference } = stretch
  if (lap && reference) return cornerSentence({ ...stretch, lap, reference }, unit)
  return kind === 'straight' ? straightSentence(stretches, stretch, unit) : null
}

function straightSentence(
  stretches: readonly CornerComparison[],
  stretch: CornerComparison,
  unit: SpeedUnit,
): string | null {
  const { lossMs } = stretch
  const at = stretches.indexOf(stretch)
  const [before, next] = [stretches[at - 1], stretches[at + 1]]
  const clauses = [
    before && exit(before, unit, `left ${before.name} at`),
    next && arrival(next, unit, `reached ${next.name} at`),
  ].filter(clause => clause?.lossSign === Math.sign(lossMs))
  if (clauses.length > 0) return `You ${clauses.map(clause => clause!.words).join(' and ')}.`
  return Math.abs(lossMs) < LEAST_MS ? null : `You ${did(lossMs)} the time on the way: compare the traces.`
}

const did = (lossMs: number) => (lossMs > 0 ? 'lost' : 'gained')

/** Says how much of a corner's loss was lost before its apex and after it. Null if both are small, or it is no corner. */
export function apexWords({
  lossMs,
  toApexMs,
}: Pick<CornerComparison, 'lossMs' | 'toApexMs'>): string | null {
  if (toApexMs === null) return null
  const afterMs = lossMs - toApexMs
  if (Math.max(Math.abs(toApexMs), Math.abs(afterMs)) < LEAST_MS) return null
  return `${formatDelta(toApexMs / 1000)} to the apex, ${formatDelta(afterMs / 1000)} after it`
}

/** What a driver did otherwise. */
interface Clause {
  readonly words: string
  /** 1 if it costs time, −1 if it gains time, 0 if it can do either. */
  readonly lossSign: number
}

/** A corner in which both laps show something. */
export interface ComparedCorner extends Pick<CornerComparison, 'lossMs' | 'referenceAtApexMps'> {
  readonly lap: CornerFigures
  readonly reference: CornerFigures
}

/**
 * Says in one or two sentences what a driver did otherwise in a corner. The first is about the way to the apex, the
 * second about the way out, or says that the figures do not explain the loss or gain. Uses the numbers as the table
 * shows them. Null if there is nothing to compare.
 */
export function cornerSentence(corner: ComparedCorner, unit: SpeedUnit): string | null {
  const { lap, reference, lossMs } = corner
  const sentences = [
    [entry(lap, reference, lossMs, unit), slowest(corner, unit)],
    [throttle(lap, reference), exit({ lap, reference }, unit, 'left at')],
  ]
    .map(clauses => clauses.filter(clause => clause !== null))
    .filter(clauses => clauses.length > 0)
  const sign = Math.abs(lossMs) < LEAST_MS ? 0 : Math.sign(lossMs)
  const [first, second] = sentences.map(clauses => ({
    words: clauses.map(({ words }) => words).join(' and '),
    explains: sign !== 0 && clauses.some(({ lossSign }) => lossSign === sign),
    contradicts: sign !== 0 && clauses.some(({ lossSign }) => lossSign === -sign),
  }))
  if (first && !first.explains && !second?.explains && (first.contradicts || second?.contradicts)) {
    return `You ${first.words}. You ${did(lossMs)} the time elsewhere in the corner: compare the traces.`
  }
  // A reason must not sound like the next one if one of them cost time and the other gained some.
  const isTurn =
    first && second && first.explains !== second.explains && (first.contradicts || second.contradicts)
  if (first && second) return `You ${first.words}. ${isTurn ? 'But you' : 'You'} ${second.words}.`
  if (first) return `You ${first.words}.`
  if (speeds(lap.minSpeedMps, reference.minSpeedMps, unit) === null) return null
  return mannerOf(lap) === null || mannerOf(reference) === null
    ? `Your lowest speed was the same, within 1 ${unit}.`
    : `You drove it like the reference, within ${LEAST_M} m and 1 ${unit}.`
}

/**
 * Returns what differed before the apex: how the driver slowed, or else the begin of the braking, its end, or the lift.
 * Of several differences it is the largest that explains the loss or the gain, so that a sentence under a loss does not
 * speak of a gain.
 */
function entry(lap: CornerFigures, reference: CornerFigures, lossMs: number, unit: SpeedUnit): Clause | null {
  const [own, other] = [mannerOf(lap), mannerOf(reference)]
  if (own !== null && other !== null && own !== other) return otherManner(own, other)
  const lift = own === 'lift' ? later(lap.liftM, reference.liftM) : 0
  const changes = [
    placeClause('braked', later(lap.brakeM, reference.brakeM), -1),
    placeClause('released the brake', later(lap.releaseM, reference.releaseM), 1),
    placeClause('lifted', lift, -1),
  ]
    .filter(({ metres }) => metres !== 0)
    .sort((a, b) => Math.abs(b.metres) - Math.abs(a.metres))
  const explains = ({ lossSign }: Clause) => lossSign === Math.sign(lossMs)
  const reason = changes.find(explains)
  const arrived = arrival({ lap, reference }, unit, 'arrived at')
  if (!reason && arrived && Math.abs(arrived.faster) >= LEAST_ARRIVAL && explains(arrived)) return arrived
  return reason ?? changes[0] ?? null
}

const DID: Readonly<Record<Manner, string>> = {
  brake: 'braked',
  lift: 'lifted',
  flat: 'stayed on the throttle',
}

/** From the quickest to the slowest. */
const MANNERS: readonly Manner[] = ['flat', 'lift', 'brake']

function otherManner(own: Manner, other: Manner): Clause {
  const only = own !== 'flat' && other !== 'flat' ? 'only ' : ''
  const words = `${own === 'lift' ? only : ''}${DID[own]} where the reference ${other === 'lift' ? only : ''}${DID[other]}`
  return { words, lossSign: Math.sign(MANNERS.indexOf(own) - MANNERS.indexOf(other)) }
}

/**
 * Compares the lowest speeds. If they are at two places, it compares the speeds at the lap's place. A driver who is
 * slowest earlier can have the same lowest speed, and is much slower there.
 */
function slowest({ lap, reference, referenceAtApexMps }: ComparedCorner, unit: SpeedUnit): Clause | null {
  const apex = later(lap.apexM, reference.apexM)
  const other = apex === 0 ? reference.minSpeedMps : (referenceAtApexMps ?? reference.minSpeedMps)
  const least = speeds(lap.minSpeedMps, other, unit)
  const at = lap.apexM === null ? '' : ` at ${Math.round(lap.apexM)} m`
  if (least === null || least.faster === 0) {
    return apex === 0 ? null : { words: `were slowest ${metresLater(apex)},${at}`, lossSign: 0 }
  }
  const compared = `${least.words}${at}`
  const lossSign = -Math.sign(least.faster)
  if (apex !== 0) return { words: `were slowest ${metresLater(apex)}: ${compared}`, lossSign }
  return { words: `were ${least.faster > 0 ? 'faster' : 'slower'} at the apex: ${compared}`, lossSign }
}

function throttle(lap: CornerFigures, reference: CornerFigures): Clause | null {
  const on = placeClause('were back on the throttle', later(lap.throttleM, reference.throttleM), 1)
  return on.metres === 0 ? null : on
}

type BothLaps = Pick<CornerComparison, 'lap' | 'reference'>

const arrival = ({ lap, reference }: BothLaps, unit: SpeedUnit, words: string) =>
  speedClause(words, lap?.entrySpeedMps ?? null, reference?.entrySpeedMps ?? null, unit)

const exit = ({ lap, reference }: BothLaps, unit: SpeedUnit, words: string) =>
  speedClause(words, lap?.exitSpeedMps ?? null, reference?.exitSpeedMps ?? null, unit)

/** Says that something came `metres` later; `lossSign` is that of being later. */
function placeClause(words: string, metres: number, lossSign: number) {
  return { words: `${words} ${metresLater(metres)}`, metres, lossSign: lossSign * Math.sign(metres) }
}

/** Says at which speed the car came; null if it was that of the reference. */
function speedClause(words: string, lap: number | null, reference: number | null, unit: SpeedUnit) {
  const compared = speeds(lap, reference, unit)
  if (compared === null || compared.faster === 0) return null
  return {
    words: `${words} ${compared.words}`,
    faster: compared.faster,
    lossSign: -Math.sign(compared.faster),
  }
}

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
