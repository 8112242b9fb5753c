import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Button } from './Button.tsx'
import { TextField, type TextFieldProps } from './TextField.tsx'

/** A password field that hides its text until the driver reveals it. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'action'>) {
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      action={
        <Button
          variant="ghost"
          size="icon"
          aria-label={`${isShown ? 'Hide' : 'Show'} ${props.label}`}
          aria-pressed={isShown}
          disabled={props.disabled}
          onClick={() => setShown(!isShown)}
        >
          <Icon size={16} aria-hidden />
        </Button>
      }
    />
  )
}
