import { useMemo } from 'react'
import { speedUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import type { CursorStore } from '../cursor-store.ts'
import { describeSample } from '../describe-sample.ts'
import { type LapSeries, rowInLap } from '../lap-series.ts'
import { gaugeValues } from './gauge-values.ts'

interface LockAnnouncementProps {
  readonly series: LapSeries
  readonly cursor: CursorStore
}

/** Announces a locked sample once to screen readers. Silent for an unlocked cursor and during playback. */
export function LockAnnouncement({ series, cursor }: LockAnnouncementProps) {
  const unit = useStore(speedUnit)
  const isLocked = useStore(cursor, ({ locked }) => locked)
  const summary = useMemo(() => {
    const { name, preview, lap } = series
    const row = isLocked ? rowInLap(cursor.get().row, lap) : null
    if (row === null) return ''
    const { share, speed } = describeSample(preview, lap, row, unit)
    const { gear, throttle, brake } = gaugeValues(preview, row, unit)
    const values = [share, speed, `gear ${gear}`, `throttle ${throttle.text} %`, `brake ${brake.text} %`]
    return `${name} locked at ${values.filter(Boolean).join(', ')}.`
  }, [isLocked, series, cursor, unit])
  return (
    <p aria-live="polite" className="sr-only">
      {summary}
    </p>
  )
}
