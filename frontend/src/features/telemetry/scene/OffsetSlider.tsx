import { useId } from 'react'

/** Metres of the lines above the ground (spec 001, 9), and the slider's limits (spec 000, 9). */
export const FIRST_OFFSET_M = 0.5
const MAX_OFFSET_M = 5
const STEP_M = 0.1

interface OffsetSliderProps {
  readonly value: number
  readonly onChange: (metres: number) => void
}

/** Lifts the lines above the ground. */
export function OffsetSlider({ value, onChange }: OffsetSliderProps) {
  const id = useId()
  return (
    <div className="flex h-8 items-center gap-2 text-muted text-xs pointer-coarse:h-11">
      <label htmlFor={id}>Altitude offset</label>
      <input
        id={id}
        type="range"
        min={0}
        max={MAX_OFFSET_M}
        step={STEP_M}
        value={value}
        onChange={event => onChange(Number(event.target.value))}
        aria-valuetext={`${value.toFixed(1)} m`}
        className="h-8 w-24 cursor-pointer accent-accent pointer-coarse:h-11"
      />
      <output htmlFor={id} className="w-9 text-right text-text tabular-nums">
        {value.toFixed(1)} m
      </output>
    </div>
  )
}
