import { useEffect, useRef } from 'react'
import { everyFrame } from '#shared/drawing/every-frame.ts'
import { setText } from '#shared/drawing/set-text.ts'
import { useStore } from '#shared/store/use-store.ts'
import { formatClock } from '../describe-sample.ts'
import { CLOCK_RATES, type ClockRate, type LapClock } from '../lap-clock.ts'
import type { LapComparison } from '../lap-comparison.ts'
import type { LapSeries } from '../lap-series.ts'
import { gapM, lapSeconds } from '../lap-time.ts'

interface PlaybackBarProps {
  readonly main: LapSeries
  readonly clock: LapClock
  readonly comparison: LapComparison | null
}

/** Scrubs through the lap, sets the rate, and shows how far the other car is away. Shown while the clock is on. */
export function PlaybackBar({ main, clock, comparison }: PlaybackBarProps) {
  const scrub = useRef<HTMLInputElement>(null)
  const time = useRef<HTMLSpanElement>(null)
  const gap = useRef<HTMLSpanElement>(null)
  const rate = useStore(clock, state => state.rate)
  const totalS = lapSeconds(main)

  useEffect(() => {
    const write = () => {
      const { timeS, isPlaying } = clock.get()
      if (timeS === null) return
      const words = formatClock(Math.max(0, timeS))
      // While it plays, a tenth of a second is enough: a slider that moves is laid out again.
      if (!isPlaying || words !== time.current!.textContent) {
        scrub.current!.value = String(timeS)
        scrub.current!.ariaValueText = `${words} of ${formatClock(totalS)}`
        setText(time.current!, words)
      }
      if (!comparison) return
      const { reference, lengthM } = comparison
      setText(gap.current!, gapWords(gapM(main, reference, lengthM, timeS)))
    }
    write()
    const task = everyFrame(write)
    const stop = clock.subscribe(task)
    return () => {
      stop()
      task.cancel()
    }
  }, [clock, main, comparison, totalS])

  return (
    // Its height fits the legend's line, so that nothing below moves.
    <div className="-my-1.5 flex h-7 min-w-0 items-center gap-2 text-xs">
      <input
        ref={scrub}
        type="range"
        aria-label="Time of the lap"
        min={0}
        max={totalS}
        step={0.01}
        defaultValue={0}
        onChange={event => clock.seek(main, event.target.valueAsNumber)}
        className="h-6 min-w-16 grow cursor-pointer accent-accent"
      />
      <span ref={time} className="w-11 text-right font-semibold tabular-nums" />
      {comparison && <span ref={gap} className="w-20 whitespace-nowrap text-reference tabular-nums" />}
      <select
        aria-label="Rate of playback"
        value={rate}
        onChange={event => clock.setRate(Number(event.target.value) as ClockRate)}
        className="h-6 cursor-pointer rounded-md border border-line bg-raised px-1 font-medium text-text"
      >
        {CLOCK_RATES.map(each => (
          <option key={each} value={each}>
            {each}×
          </option>
        ))}
      </select>
    </div>
  )
}

/** Formats where the reference is: "12 m ahead". */
function gapWords(metres: number): string {
  if (!Number.isFinite(metres)) return ''
  const whole = Math.round(Math.abs(metres))
  return whole === 0 ? 'level' : `${whole} m ${metres > 0 ? 'ahead' : 'behind'}`
}
