import type { ComponentProps } from 'react'
import { TextField } from './TextField.tsx'

interface EmailFieldProps extends Pick<ComponentProps<'input'>, 'autoFocus' | 'defaultValue' | 'readOnly'> {
  readonly onValueChange?: (email: string) => void
}

/**
 * A field for an account's e-mail address, with the right keyboard and without autocorrection. Password
 * managers store the address with the password. The form reads it as `email`.
 */
export function EmailField({ onValueChange, ...input }: EmailFieldProps) {
  return (
    <TextField
      label="Email"
      name="email"
      autoComplete="username"
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      onChange={event => onValueChange?.(event.target.value)}
      {...input}
    />
  )
}
