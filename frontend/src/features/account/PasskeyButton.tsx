import { passkeyBrowser } from '@lapwing/identity-client/passkey-browser'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '#shared/session/error-text.ts'
import { Button } from '#shared/ui/Button.tsx'

interface PasskeyButtonProps {
  readonly label: string
  /** Lets the driver choose a passkey and signs in with it. */
  readonly choose: () => Promise<void>
  readonly onDone: () => void
  readonly onProblem: (sentence: string) => void
}

/** Signs in with a passkey. Absent if the browser has none. */
export function PasskeyButton({ label, choose, onDone, onProblem }: PasskeyButtonProps) {
  const [isBusy, setBusy] = useState(false)
  if (!passkeyBrowser.isSupported()) return null
  return (
    <Button
      size="wide"
      isBlocked={isBusy}
      onClick={async () => {
        setBusy(true)
        try {
          await choose()
          onDone()
        } catch (error) {
          onProblem(errorText(error, 'Authentication failed.'))
        } finally {
          setBusy(false)
        }
      }}
    >
      <KeyRound size={16} aria-hidden />
      {label}
    </Button>
  )
}
