import './native-select.css'

interface NativeSelectProps {
  /** For screen readers; the chosen option says the same to the eye. */
  readonly label: string
  readonly value: string
  readonly onValueChange: (value: string) => void
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

/**
 * A choice of the browser's own, for dialogs that load late. `Select` belongs to the code of a session: if they used it,
 * too, that code would come in smaller parts, which are larger together.
 */
export function NativeSelect({ label, value, onValueChange, options }: NativeSelectProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={event => onValueChange(event.target.value)}
      className="native-select"
    >
      {options.map(option => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
