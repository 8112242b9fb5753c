import { Select } from '#shared/ui/Select.tsx'
import { type ColourBy, shownColours } from './lap-colouring.ts'

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
  gain: 'Gain and loss',
}

/** Chooses what the colour of the lap's line shows, in all views. */
export function ColourChoice({ value, onValueChange, hasDelta }: ColourChoiceProps) {
  const choices = (Object.keys(LABELS) as ColourBy[]).filter(by => shownColours(by, hasDelta) === by)
  return (
    <div className="w-34">
      <Select
        label="Colour by"
        value={value}
        onValueChange={by => onValueChange(by as ColourBy)}
        options={choices.map(by => ({ value: by, label: LABELS[by] }))}
      />
    </div>
  )
}
