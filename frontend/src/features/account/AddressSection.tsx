import { MailWarning } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { CodeField } from './CodeField.tsx'
import { secondFactorProblem } from './second-factor.ts'
import type { SectionProps } from './section-props.ts'
import { useSubmit } from './use-submit.ts'

/**
 * Confirms the address of the account with a code by mail. Until then everybody who reads its mails can
 * remove what the driver sets up here, because a stranger could have typed the address.
 */
export function AddressSection({ account, user, run }: SectionProps) {
  const [methodId, setMethodId] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const email = user.emails.find(({ verified }) => !verified)?.email
  if (email === undefined) return null
  const send = async () => {
    setBusy(true)
    await run(async () => setMethodId(await account.identity.sendEmailCode(email)))
    setBusy(false)
  }
  return (
    <section aria-labelledby="address" className="space-y-2.5 rounded-control border border-warning/60 p-3">
      <h3 id="address" className="flex items-center gap-2 font-semibold">
        <MailWarning size={16} aria-hidden className="shrink-0 text-warning" />
        Confirm your email address
      </h3>
      {methodId === null ? (
        <>
          <p className="text-muted">
            Until you confirm it, a password reset by mail removes your passkeys and your authenticator app.
          </p>
          <Button isBlocked={isBusy} onClick={() => void send()}>
            Send a code
          </Button>
        </>
      ) : (
        <CodeForm
          email={email}
          onSend={async code => {
            account.session.adopt(await account.identity.authenticateEmailCode(code, methodId))
            account.notify.success('Email address confirmed')
            await run(async () => {})
          }}
          onAgain={() => setMethodId(null)}
        />
      )}
    </section>
  )
}

interface CodeFormProps {
  readonly email: string
  readonly onSend: (code: string) => Promise<void>
  readonly onAgain: () => void
}

function CodeForm({ email, onSend, onAgain }: CodeFormProps) {
  const { isBusy, problem, setProblem, form } = useSubmit({
    read: text => text('mailed-code').replace(/\s/g, ''),
    check: text => secondFactorProblem({ kind: 'code', text }),
    send: onSend,
    fallback: 'The code could not be checked. Please try again.',
  })
  return (
    <form noValidate {...form} className="space-y-2.5">
      <p className="wrap-anywhere">A mail with a code is on its way to {email}.</p>
      <CodeField label="Code from the mail" name="mailed-code" />
      {problem && <Notice message={problem} onDismiss={() => setProblem(null)} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" aria-disabled={isBusy}>
          {isBusy ? 'Checking...' : 'Confirm address'}
        </Button>
        <Button onClick={onAgain}>Send another code</Button>
      </div>
    </form>
  )
}
