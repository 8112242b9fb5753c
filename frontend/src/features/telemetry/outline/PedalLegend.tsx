import clsx from 'clsx'

const entries = [
  { label: 'Throttle', colour: 'bg-throttle', mark: 'throttle' },
  { label: 'Brake', colour: 'bg-brake', mark: 'brake' },
  { label: 'Coast', colour: 'bg-[var(--coast)]', mark: 'coast' },
] as const

interface PedalLegendProps {
  readonly hasReference: boolean
  /** On a map, coasting is white in both themes. */
  readonly isOnMap: boolean
}

/** Explains the colours of outline and map, and the line styles if the colour-blind palette is chosen. */
export function PedalLegend({ hasReference, isOnMap }: PedalLegendProps) {
  return (
    <ul
      className={clsx(
        'flex flex-wrap gap-x-3 pl-1 text-muted text-xs',
        hasReference && '@max-[780px]:basis-full',
      )}
      aria-label="Colours of the outline"
    >
      {entries.map(({ label, colour, mark }) => (
        <li key={mark} className="flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className={clsx('grid h-[3px] w-3.5 items-center rounded-full', colour, {
              'bg-white! outline-1 outline-black/60': mark === 'coast' && isOnMap,
              'in-data-[palette=colour-blind]:h-[6px]': mark === 'brake',
              'in-data-[palette=colour-blind]:h-[1.5px]': mark === 'coast',
            })}
          >
            {mark === 'brake' && (
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
  )
}
