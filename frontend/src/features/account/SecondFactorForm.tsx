import { useState } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { TextField } from '#shared/ui/TextField.tsx'
import { type SecondFactor, secondFactorProblem } from './second-factor.ts'
import { useSubmit } from './use-submit.ts'

interface SecondFactorFormProps {
  /** Sends the code. Its error is shown in the form. */
  readonly onSend: (factor: SecondFactor) => Promise<void>
  readonly onBusy?: ((isBusy: boolean) => void) | undefined
}

/** Asks for a code of the authenticator app, or for a recovery code. */
export function SecondFactorForm({ onSend, onBusy }: SecondFactorFormProps) {
  const [kind, setKind] = useState<SecondFactor['kind']>('code')
  const isCode = kind === 'code'
  const { isBusy, problem, setProblem, form } = useSubmit<SecondFactor>({
    read: text => ({ kind, text: text('second-factor') }),
    check: secondFactorProblem,
    send: onSend,
    onBusy,
    fallback: 'The code could not be checked. Please try again.',
  })
  return (
    <form noValidate {...form} className="space-y-2.5">
      <p className="text-muted">
        {isCode
          ? 'Enter the six digits that your authenticator app shows for Lapwing now.'
          : 'Enter one of the recovery codes that you saved. Each works once.'}
      </p>
      <TextField
        // A new field, so that the text of the other one is gone and the focus moves.
        key={kind}
        label={isCode ? 'Code' : 'Recovery code'}
        name="second-factor"
        autoFocus
        autoComplete={isCode ? 'one-time-code' : 'off'}
        inputMode={isCode ? 'numeric' : 'text'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={isCode ? 7 : 32}
      />
      {problem && <Notice message={problem} onDismiss={() => setProblem(null)} />}
      <Button type="submit" variant="primary" size="wide" aria-disabled={isBusy}>
        {isBusy ? 'Checking...' : 'Continue'}
      </Button>
      <button
        type="button"
        onClick={() => {
          setProblem(null)
          setKind(isCode ? 'recovery' : 'code')
        }}
        className="min-h-6 cursor-pointer rounded-sm font-medium text-accent hover:underline pointer-coarse:min-h-11"
      >
        {isCode ? 'Use a recovery code' : 'Use the authenticator app'}
      </button>
    </form>
  )
}
