import type { LapFingerprint, LapReason } from '@lapwing/telemetry'
import type { Sighting } from '../corners/sighting.ts'
import type { TrackLocation } from '../tracks/track-location.ts'

/** What is kept of a file: its laps with their verdicts, and the series of the best of them. */
export interface JudgedFile {
  readonly combination: FileCombination
  /** The simulator's own number for the driver; null where the file does not say who drove. */
  readonly simUserId: string | null
  /** In the order of the file, partial ones included. */
  readonly laps: readonly JudgedLap[]
  readonly series: readonly LapSeries[]
  /** Null if no lap that counts shows a corner. */
  readonly sighting: Sighting | null
}

/** What a file was driven on: names as a board has them (D-4), and the simulator's numbers. */
export interface FileCombination {
  readonly sim: string
  readonly track_slug: string
  readonly layout: string
  readonly car_slug: string
  readonly track_label: string
  readonly car_label: string
  readonly sim_track_id: number
  readonly sim_car_id: number | null
}

export interface JudgedLap {
  readonly id: string
  /** The simulator's own number for it. */
  readonly lapNo: number
  readonly timeMs: number | null
  readonly timeSource: 'official' | 'interpolated' | null
  readonly isCompleted: boolean
  readonly isClean: boolean
  /** Its driver may enter a board with it: it is complete. */
  readonly counts: boolean
  readonly reasons: readonly LapReason[]
  /** Where it was driven; null where the file does not say. */
  readonly location: TrackLocation | null
  /** When it began; null where the file does not say. */
  readonly drivenAt: Date | null
  /** Codes of soft physical bounds that it breaks, for which it is held for review (D-26). */
  readonly findings: readonly string[]
  /** Tells it from other laps; null if it does not count, or many laps of the file are faster. */
  readonly fingerprint: LapFingerprint | null
}

/** A lap as a reference: `lapwing.telemetry.v1.Reference`, gzipped. */
export interface LapSeries {
  readonly lapId: string
  readonly body: Uint8Array<ArrayBuffer>
  /** SHA-256 of `body`, base64url. */
  readonly hash: string
}
