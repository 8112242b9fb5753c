import { Select } from '#shared/ui/Select.tsx'
import type { ColourBy } from './lap-colouring.ts'

interface ColourChoiceProps {
  readonly value: ColourBy
  readonly onValueChange: (by: ColourBy) => void
  /** Whether there is a delta to a reference. */
  readonly hasDelta: boolean
}

const LABELS: Readonly<Record<ColourBy, string>> = {
  pedals: 'Pedals',
  speed: 'Speed',
  gear: 'Gear',
  delta: 'Delta',
}

/** Chooses what the colour of the lap's line shows. */
export function ColourChoice({ value, onValueChange, hasDelta }: ColourChoiceProps) {
  const choices = (Object.keys(LABELS) as ColourBy[]).filter(by => by !== 'delta' || hasDelta)
  return (
    <div className="w-28">
      <Select
        label="Colour by"
        value={value}
        onValueChange={by => onValueChange(by as ColourBy)}
        options={choices.map(by => ({ value: by, label: LABELS[by] }))}
      />
    </div>
  )
}
