import type { Lap, Preview } from '@lapwing/telemetry'
import { Pause, Play } from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { speedUnit } from '#shared/preferences/units.ts'
import { usePreference } from '#shared/storage/use-preference.ts'
import type { CursorStore } from '../cursor-store.ts'
import { describeSample } from '../describe-sample.ts'
import { everyFrame } from '../every-frame.ts'
import { playerOf } from '../lap-player.ts'
import { rowInLap } from '../lap-series.ts'
import { togglePlaying } from '../use-cursor-keys.ts'

export interface CursorReadoutProps {
  readonly preview: Preview
  readonly lap: Lap
  readonly cursor: CursorStore
}

/** "Lap 3 · 31.7 % of lap", with the time and speed there; a button that drives the lap again. */
export function CursorReadout({ preview, lap, cursor }: CursorReadoutProps) {
  const share = useRef<HTMLSpanElement>(null)
  const rest = useRef<HTMLSpanElement>(null)
  const unit = usePreference(speedUnit)
  const player = playerOf(cursor)
  const isPlaying = useSyncExternalStore(player.subscribe, player.isPlaying)

  useEffect(() => {
    const write = () => {
      const row = rowInLap(cursor.get().row, lap)
      const words = row === null ? null : describeSample(preview, lap, row, unit)
      share.current!.textContent = words?.share ? ` · ${words.share}` : ''
      const idle = lap.time_fmt === null ? '' : ` · ${lap.time_fmt}`
      rest.current!.textContent = words
        ? [words.time, words.speed]
            .filter(Boolean)
            .map(text => ` · ${text}`)
            .join('')
        : idle
    }
    write()
    const task = everyFrame(write)
    const stop = cursor.subscribe(task)
    return () => {
      stop()
      task.cancel()
    }
  }, [preview, lap, cursor, unit])

  return (
    <div className="flex min-h-8 items-center gap-2 @max-lg:basis-full">
      <button
        type="button"
        aria-label={isPlaying ? 'Pause the lap' : 'Play the lap'}
        onClick={() => togglePlaying(preview, lap, cursor)}
        className="grid size-7 place-items-center rounded-lg text-muted hover:bg-raised hover:text-text pointer-coarse:size-11"
      >
        {isPlaying ? <Pause size={14} aria-hidden="true" /> : <Play size={14} aria-hidden="true" />}
      </button>
      <p className="whitespace-nowrap tabular-nums">
        <span className="font-semibold">Lap {lap.lap}</span>
        <span ref={share} />
        <span ref={rest} className="text-muted" />
      </p>
    </div>
  )
}
