import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { errorText } from '#shared/session/error-text.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Checkbox } from '#shared/ui/Checkbox.tsx'
import { EmailField } from '#shared/ui/EmailField.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { PasswordField } from '#shared/ui/PasswordField.tsx'
import { logIn, logInProblem } from './log-in.ts'
import { PasskeyButton } from './PasskeyButton.tsx'
import { offerPasskeys, signInWithPasskey } from './passkey-sign-in.ts'
import type { FormProps } from './SignUpForm.tsx'
import { SocialButtons } from './SocialButtons.tsx'
import { textOf, useSubmit } from './use-submit.ts'

interface LogInFormProps extends FormProps {
  /** Kept while the reset panel is open. */
  readonly email: string
  readonly onEmailChange: (email: string) => void
  readonly onForgot: () => void
  /** The driver has come back from the reset panel, so the focus goes to its button. */
  readonly isBack: boolean
}

export function LogInForm(props: LogInFormProps) {
  const { account, email, onEmailChange, onForgot, onSecondFactor, isBack, onBusy, onDone } = props
  const [remember, setRemember] = useState(false)
  const forgot = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isBack) forgot.current?.focus()
  }, [isBack])
  const { isBusy, problem, setProblem, form } = useSubmit({
    read: text => ({ email: text('email'), password: text('password') }),
    check: logInProblem,
    async send(fields) {
      const signedIn = await logIn(account, { ...fields, remember })
      if (typeof signedIn === 'object') onSecondFactor(signedIn)
      else if (signedIn) onDone()
    },
    onBusy,
    fallback: 'Login failed',
  })

  /** Grows when another request for a passkey has ended the offer in the field. */
  const [offers, setOffers] = useState(0)
  const onPicked = useEffectEvent(onDone)
  const onRefused = useEffectEvent((error: unknown) => setProblem(errorText(error, 'Authentication failed.')))
  useEffect(
    () => offerPasskeys(account, { onDone: () => onPicked(), onProblem: error => onRefused(error) }),
    [account, offers],
  )

  return (
    <form noValidate {...form} className="space-y-2.5">
      <EmailField defaultValue={email} onValueChange={onEmailChange} offersPasskeys />
      <PasswordField label="Password" name="password" autoComplete="current-password" />
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <Checkbox label="Remember me" checked={remember} onCheckedChange={setRemember} />
        <button
          type="button"
          ref={forgot}
          onClick={({ currentTarget }) => {
            if (currentTarget.form) onEmailChange(textOf(currentTarget.form)('email'))
            onForgot()
          }}
          className="min-h-6 cursor-pointer rounded-sm font-medium text-accent hover:underline pointer-coarse:min-h-11"
        >
          Forgot Password
        </button>
      </div>
      {problem && <Notice message={problem} onDismiss={() => setProblem(null)} />}
      <Button type="submit" variant="primary" size="wide" aria-disabled={isBusy}>
        {isBusy ? 'Signing in...' : 'Sign in'}
      </Button>
      <SocialButtons
        account={account}
        onLeave={() => account.returnFlags.setTermsAgreed(false)}
        onProblem={setProblem}
      />
      <PasskeyButton
        label="Sign in with a passkey"
        choose={() => signInWithPasskey(account)}
        onDone={onDone}
        onProblem={sentence => {
          setProblem(sentence)
          setOffers(offers + 1)
        }}
      />
    </form>
  )
}
