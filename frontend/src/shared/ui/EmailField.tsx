import type { ComponentProps } from 'react'
import { TextField } from './TextField.tsx'

export interface EmailFieldProps extends Pick<ComponentProps<'input'>, 'autoFocus'> {
  /** What password managers fill in: the address of an account there is, or of a new one. */
  readonly autoComplete: 'username' | 'email'
  readonly value: string
  readonly onValueChange: (email: string) => void
}

/** A field for an e-mail address, with the keyboard for it and nothing that corrects. */
export function EmailField({ onValueChange, ...input }: EmailFieldProps) {
  return (
    <TextField
      label="Email"
      name="email"
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      onChange={event => onValueChange(event.target.value)}
      {...input}
    />
  )
}
