import type { LapData } from '../lap-data.ts'
import type { LapMotion, LapRows } from './lap-motion.ts'

/** A lap from line to line: its file and how it moved. */
export interface PhysicsCase {
  readonly data: LapData
  readonly rows: LapRows
  readonly motion: LapMotion
}
