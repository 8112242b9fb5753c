import { reasonSentences } from '#shared/laps/reason-words.ts'
import type { MyLap } from './my-laps-api.ts'

/** The server's verdict about a lap, in a driver's words. */
export interface LapVerdict {
  readonly kind: 'clean' | 'unverified' | 'unclean' | 'partial'
  readonly headline: string
  /** Why the lap is not clean or not complete; sentences without a full stop. */
  readonly reasons: readonly string[]
}

export function lapVerdict({ is_completed, is_clean, reasons, time_source, review }: MyLap): LapVerdict {
  if (!is_completed) {
    // An incomplete lap is never clean, so it does not matter that the file cannot prove it.
    const why = reasonSentences(reasons.filter(reason => reason !== 'UNVERIFIABLE'))
    return { kind: 'partial', headline: 'Not a complete lap', reasons: why }
  }
  const sentences = reasonSentences(reasons)
  if (reasons.includes('ELSEWHERE')) return { kind: 'unclean', headline: 'On no board', reasons: sentences }
  const reviewed = review === null ? null : reviewWords[review]
  if (reviewed !== null) return { kind: 'unclean', headline: reviewed, reasons: sentences }
  const measured = time_source === 'interpolated' ? [MEASURED] : []
  if (is_clean) return { kind: 'clean', headline: 'Complete and clean', reasons: measured }
  const isUnknown = reasons.length > 0 && reasons.every(reason => reason === 'UNVERIFIABLE')
  return {
    kind: isUnknown ? 'unverified' : 'unclean',
    headline: isUnknown ? 'Complete' : 'Complete, not clean',
    reasons: [...sentences, ...measured],
  }
}

const reviewWords = {
  held: 'Held for review: only you see it',
  refused: 'Refused by a moderator: on no board',
  released: null,
} as const

const MEASURED = "Timed from the recording: the file ends before the simulator's own time"
