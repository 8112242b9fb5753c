import type { LapTrack } from './lap-track.ts'

/** The combination of a board (D-4); the same texts as in a preview's `meta`. */
export interface Combination {
  readonly sim: string
  readonly track_slug: string
  readonly layout: string
  readonly car_slug: string
  readonly track_label: string
  readonly car_label: string
}

/** The driver, the lap and the combination of a reference. */
export interface ReferenceFacts {
  readonly lapId: string
  readonly userId: string
  readonly timeSource: 'official' | 'interpolated'
  readonly combination: Combination
}

/** A lap of a board to compare with. */
export interface Reference {
  readonly facts: ReferenceFacts
  readonly track: LapTrack
}
