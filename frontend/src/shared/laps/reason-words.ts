import type { LapReason as JudgedReason } from '@lapwing/telemetry'

/** The reasons that a file shows, and the one that only other drivers' laps show. */
type LapReason = JudgedReason | 'ELSEWHERE'

/** Why a lap is not complete or not clean, in a driver's words. */
interface ReasonWords {
  /** For a list: "2 partial laps hidden: out lap, unfinished". */
  readonly short: string
  /** For a line of its own; a sentence without its full stop. */
  readonly sentence: string
}

/** Texts for every reason of `laps-and-validity.md`. */
export const reasonWords: Readonly<Record<LapReason, ReasonWords>> = {
  ELSEWHERE: {
    short: 'driven elsewhere',
    sentence: 'Driven elsewhere, or the file does not say where: a moderator has set the place of this track',
  },
  OUT: { short: 'out lap', sentence: 'Out lap: started from the pits' },
  IN: { short: 'in lap', sentence: 'In lap: went to the pits' },
  JUMP: { short: 'reset', sentence: 'Reset on the way: the car jumped' },
  NO_OPEN: { short: 'joined halfway', sentence: 'Joined halfway: the file starts in mid-lap' },
  NO_CLOSE: { short: 'unfinished', sentence: 'Unfinished: the file ends before the line' },
  NOT_SCORED: { short: 'not scored', sentence: 'Not scored: the simulator gave it no time' },
  TIME_MISMATCH: {
    short: 'time in doubt',
    sentence: "Time in doubt: the simulator's and the measured one differ",
  },
  GAP: { short: 'gap in the recording', sentence: 'Gap in the recording: samples are missing' },
  IMPLAUSIBLE: { short: 'implausible', sentence: 'Implausible: speed and distance do not fit together' },
  OFF_TRACK: { short: 'off track', sentence: 'Left the track' },
  INCIDENT: { short: 'incident', sentence: 'Touched a wall or lost control (1x or more)' },
  CAUTION: { short: 'caution', sentence: 'Under caution: yellow flag or pace car' },
  GRID: { short: 'standing start', sentence: 'Standing start: began on the grid' },
  JOKER: { short: 'joker lap', sentence: 'Joker lap: took the longer way' },
  UNVERIFIABLE: {
    short: 'unverified',
    sentence: 'Unverified: this file lacks incidents, track limits or positions',
  },
}

/** Reasons in the order a driver would name them: what happened comes before what is missing. */
const order = Object.keys(reasonWords) as LapReason[]

/** Returns the first reason in that order; null for a lap without reasons. */
export function mainReason(reasons: readonly LapReason[]): LapReason | null {
  return order.find(reason => reasons.includes(reason)) ?? null
}

/** Returns the sentences of all reasons, the main one first. */
export function reasonSentences(reasons: readonly LapReason[]): string[] {
  return order.filter(reason => reasons.includes(reason)).map(reason => reasonWords[reason].sentence)
}
