import type { Lap, Preview } from '@lapwing/telemetry'
import type { ReactNode } from 'react'
import type { CursorStore } from './cursor-store.ts'

export interface TrackOutlineProps {
  readonly preview: Preview
  readonly lap: Lap
  readonly cursor: CursorStore
  /** Stands in the toolbar after the view buttons, such as the Compare Laps switch. */
  readonly toolbarExtra?: ReactNode
}

/** The driven lap, drawn by our own canvas renderer (D-22), in a card of its own. */
export function TrackOutline({ lap, toolbarExtra }: TrackOutlineProps) {
  return (
    <section aria-label="Track Outline" className="rounded-xl border border-line bg-card p-3">
      <div className="mb-2 flex flex-wrap items-center gap-2">{toolbarExtra}</div>
      <p>Lap {lap.lap}</p>
    </section>
  )
}
