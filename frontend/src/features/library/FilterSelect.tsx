import type { Choice } from './list-sessions.ts'

interface FilterSelectProps {
  /** For screen readers; the chosen option says the same to the eye. */
  readonly label: string
  readonly value: string
  readonly onValueChange: (value: string) => void
  readonly options: readonly Choice[]
}

/**
 * A choice of the browser's own. `Select` of `shared/ui` belongs to the code of a session: if the library used it, too,
 * the first visit would load 2 kB more in smaller parts.
 */
export function FilterSelect({ label, value, onValueChange, options }: FilterSelectProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={event => onValueChange(event.target.value)}
      className="library-select"
    >
      {options.map(option => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
