import type { ComponentProps } from 'react'
import { TextField } from './TextField.tsx'

interface EmailFieldProps extends Pick<ComponentProps<'input'>, 'autoFocus' | 'defaultValue' | 'readOnly'> {
  readonly onValueChange?: (email: string) => void
  /** Whether the browser may offer passkeys in the field. */
  readonly offersPasskeys?: boolean
}

/**
 * A field for an account's e-mail address, with the right keyboard and without autocorrection. Password
 * managers store the address with the password. The form reads it as `email`.
 */
export function EmailField({ onValueChange, offersPasskeys, ...input }: EmailFieldProps) {
  return (
    <TextField
      label="Email"
      name="email"
      autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      onChange={event => onValueChange?.(event.target.value)}
      {...input}
    />
  )
}
