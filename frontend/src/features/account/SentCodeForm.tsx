import { Button } from '#shared/ui/Button.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { CodeField } from './CodeField.tsx'
import { secondFactorProblem } from './second-factor.ts'
import { useSubmit } from './use-submit.ts'

interface SentCodeFormProps {
  /** Says where the code is on its way to. */
  readonly sentence: string
  readonly label: string
  /** Label of the button that sends the code. */
  readonly action: string
  readonly onSend: (code: string) => Promise<void>
  readonly onAgain: () => void
}

/** Asks for a code that was mailed or texted. */
export function SentCodeForm({ sentence, label, action, onSend, onAgain }: SentCodeFormProps) {
  const { isBusy, problem, setProblem, form } = useSubmit({
    read: text => text('sent-code').replace(/\s/g, ''),
    check: text => secondFactorProblem({ kind: 'code', text }),
    send: onSend,
    fallback: 'The code could not be checked. Please try again.',
  })
  return (
    <form noValidate {...form} className="space-y-2.5">
      <p role="status" className="wrap-anywhere">
        {sentence}
      </p>
      <CodeField label={label} name="sent-code" />
      {problem && <Notice message={problem} onDismiss={() => setProblem(null)} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" aria-disabled={isBusy}>
          {isBusy ? 'Checking...' : action}
        </Button>
        <Button onClick={onAgain}>Send another code</Button>
      </div>
    </form>
  )
}
