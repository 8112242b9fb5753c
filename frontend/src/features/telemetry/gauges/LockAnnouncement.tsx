import type { Lap, Preview } from '@lapwing/telemetry'
import { useMemo, useSyncExternalStore } from 'react'
import type { CursorStore } from '../cursor-store.ts'
import { describeSample } from '../describe-sample.ts'
import { rowInLap } from '../lap-series.ts'
import { gaugeValues } from './gauge-values.ts'

export interface LockAnnouncementProps {
  readonly preview: Preview
  readonly lap: Lap
  readonly cursor: CursorStore
}

/** Reads a locked sample out once. Ticks of an unlocked cursor, or of a lap being played, stay silent. */
export function LockAnnouncement({ preview, lap, cursor }: LockAnnouncementProps) {
  const isLocked = useSyncExternalStore(cursor.subscribe, () => cursor.get().locked)
  const summary = useMemo(() => {
    const row = isLocked ? rowInLap(cursor.get().row, lap) : null
    if (row === null) return ''
    const { share, speed } = describeSample(preview, lap, row)
    const { gear, throttle, brake } = gaugeValues(preview, row)
    const values = [share, speed, `gear ${gear}`, `throttle ${throttle.text} %`, `brake ${brake.text} %`]
    return `Lap ${lap.lap} locked at ${values.filter(Boolean).join(', ')}.`
  }, [isLocked, preview, lap, cursor])
  return (
    <p aria-live="polite" className="sr-only">
      {summary}
    </p>
  )
}
