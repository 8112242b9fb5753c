import type { GearRatios, LapFingerprint, LapReason, SessionKind } from '@lapwing/telemetry'
import type { Sighting } from '../corners/sighting.ts'
import type { TrackLocation } from '../tracks/track-location.ts'

/** The result of judging a file: its laps with their verdicts, and the series of the best ones. */
export interface JudgedFile {
  readonly combination: FileCombination
  /** The driver number; null if the file does not have one, or is of a team entry. */
  readonly simUserId: string | null
  /** In the order of the file, with partial ones. */
  readonly laps: readonly JudgedLap[]
  readonly series: readonly LapSeries[]
  /** Null if no lap that counts shows a corner. */
  readonly sighting: Sighting | null
}

/** Track and car of a file: the names of its board (D-4), and the simulator's numbers. */
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
  /** The simulator's own number of the lap. */
  readonly lapNo: number
  readonly timeMs: number | null
  readonly timeSource: 'official' | 'interpolated' | null
  readonly isCompleted: boolean
  readonly isClean: boolean
  /** It can enter a board, because it is complete. */
  readonly counts: boolean
  readonly reasons: readonly LapReason[]
  /** The location of the lap; null if the file does not have one. */
  readonly location: TrackLocation | null
  /** When it began; null if the file does not have it. */
  readonly drivenAt: Date | null
  /** Null if the file does not state a known one. */
  readonly sessionKind: SessionKind | null
  /** Air temperature at the start, °C; null if the file does not state it. */
  readonly airTempC: number | null
  /** 0 Clear to 3 Overcast; null if the file does not state it. */
  readonly skies: 0 | 1 | 2 | 3 | null
  /** Codes of soft rules of physics that the lap breaks; it is then held for review (D-26). */
  readonly findings: readonly string[]
  /** Empty if the lap is not complete, or its file lacks a channel. */
  readonly gearRatios: GearRatios
  /** Null if the lap does not count, is not stored, or was driven at one speed. */
  readonly fingerprint: LapFingerprint | null
}

/** A lap as a reference: `lapwing.telemetry.v1.Reference`, gzipped. */
export interface LapSeries {
  readonly lapId: string
  readonly body: Uint8Array<ArrayBuffer>
  /** SHA-256 of `body`, base64url. */
  readonly hash: string
}
