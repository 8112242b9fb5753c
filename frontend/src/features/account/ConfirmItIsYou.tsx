import type { Authenticated, IdentityUser } from '@lapwing/identity-client/contract'
import { ApiError } from '@lapwing/identity-client/errors'
import { createMailCodes } from '@lapwing/identity-client/mail'
import { createPasswords } from '@lapwing/identity-client/passwords'
import { hasApp, hasPasskey } from '@lapwing/identity-client/second-factor'
import { createUsers } from '@lapwing/identity-client/users'
import { useState } from 'react'
import useSWR from 'swr'
import { errorText } from '#shared/session/error-text.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { PasswordField } from '#shared/ui/PasswordField.tsx'
import type { Account } from './account.ts'
import { PasskeyButton } from './PasskeyButton.tsx'
import { confirmWithPasskey } from './passkey-sign-in.ts'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import { SentCodeForm } from './SentCodeForm.tsx'
import { addSecondFactor } from './second-factor.ts'
import { useSubmit } from './use-submit.ts'

interface ConfirmItIsYouProps {
  readonly account: Account
  readonly userId: string
  /** Only the authenticator app counts. */
  readonly needsApp: boolean
  readonly onDone: () => Promise<void>
  readonly onCancel: () => void
}

/** Asks a signed-in driver for one of their ways in again, before something sensitive is shown or changed. */
export function ConfirmItIsYou({ account, userId, needsApp, onDone, onCancel }: ConfirmItIsYouProps) {
  const {
    data,
    error,
    isValidating: isLoading,
  } = useSWR(['confirming', userId], () => createUsers(account.client).get(), {
    // Only once for each question: a later answer would replace a form in which the driver types.
    dedupingInterval: 0,
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
  })
  const user = isLoading ? undefined : data
  return (
    <div className="space-y-3">
      <h3 ref={focus} tabIndex={-1} className="font-semibold outline-none">
        Confirm that it is you
      </h3>
      {!needsApp && (
        <p className="text-muted">Your last sign-in is more than five minutes ago, so we ask once more.</p>
      )}
      {needsApp || (user !== undefined && hasApp({ user })) ? (
        <SecondFactorForm
          onSend={async factor => {
            await addSecondFactor(account, null, factor)
            await onDone()
          }}
        />
      ) : user !== undefined ? (
        <WaysToConfirm account={account} user={user} onDone={onDone} />
      ) : error && !isLoading ? (
        <Notice message={errorText(error, 'Your account could not be loaded.')} />
      ) : (
        <p role="status" className="py-6 text-center text-muted">
          Loading…
        </p>
      )}
      <Button className="w-full" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}

/** The button that had the focus is hidden now. A field of the form takes the focus from here. */
function focus(heading: HTMLElement | null): void {
  heading?.focus({ preventScroll: true })
}

interface WaysToConfirmProps extends Pick<ConfirmItIsYouProps, 'account' | 'onDone'> {
  readonly user: IdentityUser
}

/** Offers the ways that need no other page: the password, a passkey, and a code by mail. */
function WaysToConfirm({ account, user, onDone }: WaysToConfirmProps) {
  const [methodId, setMethodId] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const codes = createMailCodes(account.client)
  const email = user.emails[0]?.email
  const isPasskeyOffered = hasPasskey({ user }, new URL(account.client.pageOrigin).hostname)

  const send = async (to: string) => {
    setSending(true)
    setProblem(null)
    try {
      setMethodId((await codes.send({ email: to, expiration_minutes: 10 })).method_id)
    } catch (error) {
      setProblem(errorText(error, 'The code could not be sent. Please try again.'))
    }
    setSending(false)
  }

  if (methodId !== null) {
    return (
      <SentCodeForm
        sentence={`A mail with a code is on its way to ${email}.`}
        label="Code from the mail"
        action="Continue"
        onSend={async code => {
          adopt(account, await codes.authenticate({ token: code, method_id: methodId }))
          await onDone()
        }}
        onAgain={() => setMethodId(null)}
      />
    )
  }
  return (
    <>
      {email === undefined && !isPasskeyOffered && (
        <p className="text-muted">Please sign out, sign in again, and come back within five minutes.</p>
      )}
      {email !== undefined && user.password != null && (
        <PasswordForm account={account} email={email} onDone={onDone} />
      )}
      {problem && <Notice message={problem} onDismiss={() => setProblem(null)} />}
      {isPasskeyOffered && (
        <PasskeyButton
          label="Use a passkey"
          choose={() => confirmWithPasskey(account)}
          onDone={() => void onDone()}
          onProblem={setProblem}
        />
      )}
      {email !== undefined && (
        <Button size="wide" isBlocked={isSending} onClick={() => void send(email)}>
          Mail me a code
        </Button>
      )}
    </>
  )
}

function PasswordForm({
  account,
  email,
  onDone,
}: Pick<ConfirmItIsYouProps, 'account' | 'onDone'> & { readonly email: string }) {
  const { isBusy, problem, setProblem, form } = useSubmit({
    read: text => text('password'),
    check: password => (password === '' ? 'Enter your password' : null),
    async send(password) {
      adopt(account, await createPasswords(account.client).authenticate({ email, password }))
      await onDone()
    },
    fallback: 'The password could not be checked. Please try again.',
  })
  return (
    <form noValidate {...form} className="space-y-2.5">
      {/* For password managers. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField autoFocus label="Password" name="password" autoComplete="current-password" />
      {problem && <Notice message={problem} onDismiss={() => setProblem(null)} />}
      <Button type="submit" variant="primary" size="wide" aria-disabled={isBusy}>
        {isBusy ? 'Checking...' : 'Continue'}
      </Button>
    </form>
  )
}

/** Stores the token, which is new after each sign-in. */
function adopt({ session }: Pick<Account, 'session'>, answer: Authenticated): void {
  if (!session.adopt(answer)) throw new ApiError(401, { error_message: 'Authentication failed.' })
}
