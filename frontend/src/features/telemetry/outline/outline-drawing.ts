import type { Run } from '@lapwing/lap-map/pedal-segments'
import type { LapColouring } from '../lap-colouring.ts'
import type { LapRole } from '../lap-series.ts'
import type { OutlineGeometry } from './outline-geometry.ts'
import type { StartLine } from './start-line.ts'

/** One lap, ready to draw. */
export interface OutlineDrawing {
  readonly role: LapRole
  readonly geometry: OutlineGeometry
  readonly startLine: StartLine | null
  /** Colours of its line, by the classes of the runs; empty for a line of one colour. */
  readonly classes: LapColouring['classes']
  readonly runs: readonly Run<number>[]
}
