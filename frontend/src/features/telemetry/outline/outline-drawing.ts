import type { PedalSegment } from '@lapwing/lap-map/pedal-segments'
import type { LapRole } from '../lap-series.ts'
import type { OutlineGeometry } from './outline-geometry.ts'
import type { StartLine } from './start-line.ts'

/** One lap, ready to draw. */
export interface OutlineDrawing {
  readonly role: LapRole
  readonly geometry: OutlineGeometry
  readonly segments: readonly PedalSegment[]
  readonly startLine: StartLine | null
}
