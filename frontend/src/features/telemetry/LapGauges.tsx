import type { Lap, Preview } from '@lapwing/telemetry'
import type { CursorStore } from './cursor-store.ts'

export interface LapGaugesProps {
  /** "My Lap Telemetry" or "Reference Lap Telemetry". */
  readonly title: string
  readonly preview: Preview
  readonly lap: Lap
  readonly cursor: CursorStore
  readonly role: 'lap' | 'reference'
}

/** What the driver did at the cursor, or in the lap's first row where there is none; a card of its own. */
export function LapGauges({ title, lap }: LapGaugesProps) {
  return (
    <section aria-label={title} className="rounded-xl border border-line bg-card p-3">
      <p>Lap {lap.lap}</p>
    </section>
  )
}
