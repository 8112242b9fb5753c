import { TextField } from '#shared/ui/TextField.tsx'

/** The one field of a form for a code of six digits, which some apps show with a space in the middle. */
export function CodeField({ label, name }: { readonly label: string; readonly name: string }) {
  return (
    <TextField
      label={label}
      name={name}
      autoFocus
      autoComplete="one-time-code"
      inputMode="numeric"
      maxLength={7}
    />
  )
}
