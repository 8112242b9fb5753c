import type { Lap, Preview } from '@lapwing/telemetry'
import { clsx } from 'clsx'
import { Pause, Play } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { setText } from '#shared/drawing/set-text.ts'
import { formatDelta } from '#shared/format/delta.ts'
import { speedUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import type { CursorStore } from '../cursor-store.ts'
import { describeSample } from '../describe-sample.ts'
import type { DistanceViewStore } from '../distance-view-store.ts'
import { followCursor } from '../follow-cursor.ts'
import { clockOf } from '../lap-clock.ts'
import { cornerAt, deltaAt, deltaSign, type LapComparison, shareAt } from '../lap-comparison.ts'
import { mainSeries, rowInLap } from '../lap-series.ts'
import { togglePlayback } from '../toggle-playback.ts'

interface CursorReadoutProps {
  readonly preview: Preview
  readonly lap: Lap
  readonly cursor: CursorStore
  readonly view: DistanceViewStore
  readonly comparison: LapComparison | null
}

/**
 * Shows "Lap 3 · 31.7 % of lap" with time and speed at the cursor, and a button that plays the lap. With a
 * reference it shows the corner, the speed and the delta instead. It is always one line, so that the page
 * does not move.
 */
export function CursorReadout({ preview, lap, cursor, view, comparison }: CursorReadoutProps) {
  const share = useRef<HTMLSpanElement>(null)
  const rest = useRef<HTMLSpanElement>(null)
  const delta = useRef<HTMLSpanElement>(null)
  const unit = useStore(speedUnit)
  const isPlaying = useStore(clockOf(cursor), clock => clock.isPlaying)

  useEffect(() => {
    const write = () => {
      const row = rowInLap(cursor.get().row, lap)
      const words = row === null ? null : describeSample(preview, lap, row, unit)
      const first = words ? words.share : lap.time_fmt
      setText(share.current!, first ? ` · ${first}` : '')
      const place = row === null ? Number.NaN : preview.lapDistPct[row]!
      const at = row === null ? Number.NaN : shareAt({ preview, lap }, row)
      const corner = comparison && cornerAt(comparison.corners, place * comparison.lengthM)
      const parts = words ? [comparison ? corner?.name : words.time, words.speed] : []
      const described = parts.filter(Boolean).map(text => ` · ${text}`)
      setText(rest.current!, described.join(''))
      const seconds = comparison?.delta ? deltaAt(comparison.delta, at) : Number.NaN
      setText(delta.current!, Number.isFinite(seconds) ? formatDelta(seconds) : '')
      delta.current!.dataset.sign = deltaSign(seconds)
    }
    return followCursor(cursor, write)
  }, [preview, lap, cursor, unit, comparison])

  return (
    <div className={clsx('flex min-h-8 min-w-0 items-center gap-2', !comparison && '@max-lg:basis-full')}>
      <button
        type="button"
        aria-label={isPlaying ? 'Pause the lap' : 'Play the lap'}
        onClick={() => togglePlayback(mainSeries(preview, lap), cursor, view)}
        className="flex h-7 min-w-7 items-center justify-center gap-1 rounded-lg text-muted hover:bg-raised hover:text-text pointer-coarse:h-11 pointer-coarse:min-w-11"
      >
        {isPlaying ? <Pause size={14} aria-hidden="true" /> : <Play size={14} aria-hidden="true" />}
        <span aria-hidden="true" className="hidden text-xs one:inline">
          {isPlaying ? 'Pause' : 'Play'}
        </span>
      </button>
      <p className="whitespace-nowrap tabular-nums">
        <span className="font-semibold">Lap {lap.lap}</span>
        <span ref={share} />
        <span ref={rest} className={clsx('text-muted @max-[300px]:hidden', comparison && '@max-lg:hidden')} />
        <span
          ref={delta}
          data-unit="s"
          className="ml-2 rounded-md border border-line bg-card px-1.5 py-px font-semibold empty:hidden data-[sign=gain]:text-gain data-[sign=loss]:text-loss"
        />
      </p>
    </div>
  )
}
