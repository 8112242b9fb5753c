import type { Lap, Preview } from '@lapwing/telemetry'

export type LapRole = 'lap' | 'reference'

/** One lap as outline and traces draw it. Views take a list of them; the lap of role `lap` has the cursor. */
export interface LapSeries {
  readonly role: LapRole
  readonly preview: Preview
  readonly lap: Lap
}

/** The cursor's row where it lies in the lap, else null: a cursor of another lap is no cursor here. */
export function rowInLap(row: number | null, lap: Pick<Lap, 'row_start' | 'row_end'>): number | null {
  return row !== null && row >= lap.row_start && row <= lap.row_end ? row : null
}
