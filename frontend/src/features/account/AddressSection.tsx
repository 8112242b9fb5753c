import { createMailCodes } from '@lapwing/identity-client/mail'
import { MailWarning } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { SentCodeForm } from './SentCodeForm.tsx'
import type { SectionProps } from './section-props.ts'
import { useBusyRun } from './use-busy-run.ts'

/**
 * Confirms the address of the account with a code by mail. Until then everybody who reads its mails can
 * remove what the driver sets up here, because a stranger could have typed the address.
 */
export function AddressSection({ account, user, run }: SectionProps) {
  const [methodId, setMethodId] = useState<string | null>(null)
  const { isBusy, act } = useBusyRun(run)
  const email = user.emails.find(({ verified }) => !verified)?.email
  if (email === undefined) return null
  const codes = createMailCodes(account.client)
  const send = () =>
    act(async () => setMethodId((await codes.send({ email, expiration_minutes: 10 })).method_id))
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
        <SentCodeForm
          sentence={`A mail with a code is on its way to ${email}.`}
          label="Code from the mail"
          action="Confirm address"
          onSend={async code => {
            account.session.adopt(await codes.authenticate({ token: code, method_id: methodId }))
            account.notify.success('Email address confirmed')
            await run(async () => {})
          }}
          onAgain={() => setMethodId(null)}
        />
      )}
    </section>
  )
}
