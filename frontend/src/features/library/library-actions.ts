import type { LapSummary } from '@lapwing/telemetry'
import type { LibraryEntry, ReadEntry } from './library-entry.ts'
import type { ChartParts } from './progress-chart.ts'

/** What the page does with sessions of the library. */
export interface LibraryActions {
  /** Shows the session in place of the open one. Resolves with the sentence to show, null on success. */
  readonly open: (entry: LibraryEntry) => Promise<string | null>
  /** Returns whether a session's laps can be the reference of the open session. */
  readonly canBeReference: (entry: ReadEntry) => boolean
  /** Loads the chart library, which the view of a session contains. */
  readonly loadChart: () => Promise<ChartParts>
  /** Loads a lap as the reference. Resolves as `open` does. */
  readonly useAsReference: (entry: ReadEntry, lap: LapSummary) => Promise<string | null>
}
