import clsx from 'clsx'
import type { Colouring } from './outline-drawing.ts'

const entries = {
  pedals: [
    { label: 'Throttle', colour: 'bg-throttle', mark: 'plain' },
    { label: 'Brake', colour: 'bg-brake', mark: 'double' },
    { label: 'Coast', colour: 'bg-[var(--coast)]', mark: 'thin' },
  ],
  gain: [
    { label: '− Gaining', colour: 'bg-gain', mark: 'plain' },
    { label: '+ Losing', colour: 'bg-loss', mark: 'double' },
    { label: 'Level', colour: 'bg-[var(--coast)]', mark: 'thin' },
  ],
} as const

interface PedalLegendProps {
  readonly hasReference: boolean
  /** On a map, coasting is white in both themes. */
  readonly isOnMap: boolean
  readonly colouring: Colouring
  /** Keeps its room for what is shown in its place. */
  readonly isHidden: boolean
  /** Changes what the colours mean; null if there is no choice. */
  readonly onColouring: ((colouring: Colouring) => void) | null
}

/** Explains the colours of outline and map, and the line styles if the colour-blind palette is chosen. */
export function PedalLegend(props: PedalLegendProps) {
  const { hasReference, isOnMap, isHidden, colouring, onColouring } = props
  return (
    <div
      className={clsx(
        'flex flex-wrap items-center gap-x-3 gap-y-1 pl-1 text-muted text-xs',
        isHidden && 'invisible',
      )}
    >
      {onColouring && (
        <button
          type="button"
          aria-pressed={colouring === 'gain'}
          onClick={() => onColouring(colouring === 'gain' ? 'pedals' : 'gain')}
          className="h-6 cursor-pointer rounded-md border border-line px-1.5 font-medium hover:text-text aria-pressed:border-accent aria-pressed:text-accent"
        >
          Gain and loss
        </button>
      )}
      <ul className="flex flex-wrap gap-x-3" aria-label="Colours of the outline">
        {entries[colouring].map(({ label, colour, mark }) => (
          <li key={mark} className="flex items-center gap-1.5">
            <span
              aria-hidden="true"
              className={clsx('grid h-[3px] w-3.5 items-center rounded-full', colour, {
                'bg-white! outline-1 outline-black/60': mark === 'thin' && isOnMap,
                'in-data-[palette=colour-blind]:h-[6px]': mark === 'double',
                'in-data-[palette=colour-blind]:h-[1.5px]': mark === 'thin',
              })}
            >
              {mark === 'double' && (
                <span className="hidden h-[2px] bg-raised in-data-[palette=colour-blind]:block" />
              )}
            </span>
            {label}
          </li>
        ))}
        {hasReference && (
          <li className="flex items-center gap-1.5">
            <span
              aria-hidden="true"
              className="w-3.5 border-reference border-t-[3px] in-data-[palette=colour-blind]:border-dashed"
            />
            Reference
          </li>
        )}
      </ul>
    </div>
  )
}
