import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { TextField } from './TextField.tsx'

/** The provider's sentence. */
const MALFORMED = 'Email format is invalid.'

interface EmailFieldProps extends Pick<ComponentProps<'input'>, 'autoFocus' | 'defaultValue' | 'readOnly'> {
  readonly onValueChange?: (email: string) => void
  /** Whether the browser may offer passkeys in the field. */
  readonly offersPasskeys?: boolean
}

/**
 * A field for an account's e-mail address, with the right keyboard and without autocorrection. Password
 * managers store the address with the password. The form reads it as `email`. When the form is
 * sent, it says that a text is no address, beside the problems of other fields.
 */
export function EmailField({ onValueChange, offersPasskeys, ...input }: EmailFieldProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // Not when the field is left: the button that is being pressed would move away.
    const check = () => setProblem(field.current?.validity.typeMismatch ? MALFORMED : null)
    const form = field.current?.form
    form?.addEventListener('submit', check)
    return () => form?.removeEventListener('submit', check)
  }, [])
  return (
    <TextField
      ref={field}
      label="Email"
      name="email"
      autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      problem={problem}
      onChange={event => {
        setProblem(null)
        onValueChange?.(event.target.value)
      }}
      {...input}
    />
  )
}
