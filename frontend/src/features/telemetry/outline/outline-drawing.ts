import type { PedalSegment } from '@lapwing/lap-map/pedal-segments'
import type { LapRole } from '../lap-series.ts'
import type { GainSegment } from './gain-segments.ts'
import type { OutlineGeometry } from './outline-geometry.ts'
import type { StartLine } from './start-line.ts'

/** One lap, ready to draw. */
export interface OutlineDrawing {
  readonly role: LapRole
  readonly geometry: OutlineGeometry
  readonly segments: readonly PedalSegment[]
  /** Where it gained and lost time; null without a delta. */
  readonly gains: readonly GainSegment[] | null
  readonly startLine: StartLine | null
}

/** What the colours of the lap mean. */
export type Colouring = 'pedals' | 'gain'
