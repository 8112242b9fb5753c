import { type AppQuestion, destinationOf, readQuestion } from '@lapwing/identity-client/app-question'
import type { AuthorizeStarted } from '@lapwing/identity-client/contract'
import { createIdp } from '@lapwing/identity-client/idp'
import { userIdOf } from '@lapwing/identity-client/session-keeper'
import { Check } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { errorText } from '#shared/session/error-text.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { LapwingMark } from '#shared/ui/LapwingMark.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { AuthDialog } from './AuthDialog.tsx'
import type { Account } from './account.ts'
import { BackToHome } from './BackToHome.tsx'
import { canChange } from './consent.ts'

interface AccountProps {
  readonly account: Account
}

/** `/consent`: the page to which a connected app sends the browser, to be connected or to sign the driver out. */
export function ConsentPage({ account }: AccountProps) {
  const [query] = useSearchParams()
  const question = useMemo(() => readQuestion(query), [query])
  const userId = useStore(account.session, userIdOf)
  /** The sign-in dialog sends. The new session must not close it before the name is saved. */
  const [isBusy, setBusy] = useState(false)
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <title>{question.kind === 'sign-out' ? 'Sign out · Lapwing' : 'Connect an app · Lapwing'}</title>
      <div className="w-full max-w-[440px] rounded-card border border-line bg-card p-5 sm:p-7">
        <LapwingMark size={32} />
        {question.kind === 'none' ? (
          <Failure sentence="This address is incomplete. Please start again in the app." />
        ) : question.kind === 'sign-out' ? (
          <SignOut account={account} request={question.request} />
        ) : userId === null || isBusy ? (
          <SignInFirst account={account} query={query.toString()} onBusy={setBusy} />
        ) : (
          // A request belongs to one account: another one starts again.
          <Connect key={userId} account={account} userId={userId} request={question.request} />
        )}
      </div>
    </main>
  )
}

interface SignInFirstProps extends AccountProps {
  readonly query: string
  readonly onBusy: (isBusy: boolean) => void
}

/** Opens the sign-in, also after a visit to a provider's page. */
function SignInFirst({ account, query, onBusy }: SignInFirstProps) {
  const [isOpen, setOpen] = useState(true)
  useEffect(() => account.returnFlags.wantConsent(query), [account, query])
  return (
    <>
      <Title>Sign in to connect the app</Title>
      <p className="mt-2 text-muted">An app asks for access to your account at Lapwing. First sign in.</p>
      <Button variant="primary" size="wide" className="mt-5" onClick={() => setOpen(true)}>
        Sign in
      </Button>
      <AuthDialog
        account={account}
        open={isOpen}
        onOpenChange={setOpen}
        isAvailable
        onBusy={onBusy}
        onSignedIn={() => account.returnFlags.wantConsent(null)}
      />
    </>
  )
}

type RequestOf<Kind> =
  Extract<AppQuestion, { kind: Kind }> extends { readonly request: infer Request } ? Request : never

interface ConnectProps extends AccountProps {
  readonly userId: string
  readonly request: RequestOf<'connect'>
}

/** Asks whether the app may read what it asks for. */
function Connect({ account, userId, request }: ConnectProps) {
  const [asked, setAsked] = useState<AuthorizeStarted | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)

  const decide = async (isGranted: boolean) => {
    setSending(true)
    setProblem(null)
    try {
      const answer = await createIdp(account.client).submit({ ...request, consent_granted: isGranted })
      account.page.leaveFor(answer.redirect_uri)
    } catch (error) {
      setSending(false)
      setProblem(errorText(error, 'That did not work. Please try again.'))
    }
  }

  useEffect(() => {
    let isShown = true
    account.returnFlags.wantConsent(null)
    void askOnce(account, userId, request).then(outcome => {
      if (!isShown) return
      if ('problem' in outcome) setProblem(outcome.problem)
      else if ('next' in outcome) account.page.leaveFor(outcome.next)
      else setAsked(outcome.asked)
    })
    return () => {
      isShown = false
    }
  }, [account, userId, request])

  if (asked === null) {
    return problem === null ? <Waiting /> : <Failure sentence={problem} />
  }
  const { client, user, scope_results } = asked
  const granted = scope_results.filter(({ is_grantable }) => is_grantable)
  const limit = canChange(granted.map(({ scope }) => scope))
    ? 'It can change and delete what you can.'
    : 'It can change nothing.'
  const email = user.emails.find(({ verified }) => verified) ?? user.emails[0]
  return (
    <>
      <Title>Connect {client.client_name}?</Title>
      <p className="mt-2 text-muted wrap-anywhere">{client.client_description}</p>
      <h2 className="mt-4 font-semibold">{client.client_name} will be able to:</h2>
      <ul className="mt-2 space-y-1.5">
        {granted.map(({ scope, description }) => (
          <li key={scope} className="flex items-start gap-2">
            <Check size={16} aria-hidden className="mt-px shrink-0 text-gain" />
            {description}
          </li>
        ))}
      </ul>
      <p className="mt-4 text-xs text-muted">
        {limit} You can disconnect it at any time under “Sign-in and security”. You then go to{' '}
        <strong className="font-semibold text-text wrap-anywhere">
          {destinationOf(request.redirect_uri)}
        </strong>
        .
      </p>
      <Problem sentence={problem} />
      <div className="mt-5 grid gap-2 sm:grid-cols-2">
        <Button size="wide" isBlocked={isSending} onClick={() => void decide(false)}>
          Cancel
        </Button>
        <Button variant="primary" size="wide" isBlocked={isSending} onClick={() => void decide(true)}>
          Allow
        </Button>
      </div>
      <p className="mt-4 text-center text-xs text-muted">
        {email === undefined ? 'You are signed in.' : `You are signed in as ${email.email}.`}{' '}
        <button
          type="button"
          onClick={async () => {
            try {
              await account.session.signOut()
              await account.page.forgetOpen()
            } catch {
              account.notify.error('Sign out failed.')
            }
          }}
          className="min-h-6 cursor-pointer rounded-sm font-semibold text-accent hover:underline pointer-coarse:min-h-11"
        >
          Use another account
        </button>
      </p>
    </>
  )
}

type Asked = { readonly asked: AuthorizeStarted } | { readonly next: string } | { readonly problem: string }

const runs = new WeakMap<object, Map<string, Promise<Asked>>>()

/**
 * Asks once for each request and account, because React can run an effect twice. A request that needs no consent is
 * submitted.
 */
function askOnce(account: Account, userId: string, request: ConnectProps['request']): Promise<Asked> {
  const ofRequest = runs.get(request) ?? new Map<string, Promise<Asked>>()
  runs.set(request, ofRequest)
  const running = ofRequest.get(userId) ?? ask(account, request)
  ofRequest.set(userId, running)
  return running
}

async function ask({ client }: Account, request: ConnectProps['request']): Promise<Asked> {
  try {
    const idp = createIdp(client)
    const asked = await idp.start(request)
    if (asked.consent_required) return { asked }
    return { next: (await idp.submit({ ...request, consent_granted: false })).redirect_uri }
  } catch (error) {
    return { problem: errorText(error, 'The app could not be checked. Please try again.') }
  }
}

interface SignOutProps extends AccountProps {
  readonly request: RequestOf<'sign-out'>
}

/** Signs the driver out for an app, after a question unless the app proves that it means this driver. */
function SignOut({ account, request }: SignOutProps) {
  const [next, setNext] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  const leave = async (address: string) => {
    if (userIdOf(account.session.get()) !== null) {
      try {
        await account.session.signOut()
      } catch {
        return setProblem('Sign out failed. Please try again.')
      }
      await account.page.forgetOpen()
    }
    account.page.leaveFor(address)
  }

  useEffect(() => {
    let isShown = true
    createIdp(account.client)
      .startLogout(request)
      .then(
        ({ redirect_uri, consent_required }) => {
          if (!isShown) return
          if (consent_required) setNext(redirect_uri)
          else void leave(redirect_uri)
        },
        (error: unknown) => {
          if (isShown) setProblem(errorText(error, 'The app could not be checked. Please try again.'))
        },
      )
    return () => {
      isShown = false
    }
  }, [account, request])

  if (next === null) return problem === null ? <Waiting /> : <Failure sentence={problem} />
  return (
    <>
      <Title>Sign out of Lapwing?</Title>
      <p className="mt-2 text-muted">
        An app asks for it. You then go to{' '}
        <strong className="font-semibold text-text wrap-anywhere">{destinationOf(next)}</strong>.
      </p>
      <Problem sentence={problem} />
      <div className="mt-5 grid gap-2 sm:grid-cols-2">
        <Button size="wide" onClick={() => account.page.leaveFor('/')}>
          Stay signed in
        </Button>
        <Button variant="primary" size="wide" onClick={() => void leave(next)}>
          Sign out
        </Button>
      </div>
    </>
  )
}

function Title({ children }: { readonly children: ReactNode }) {
  return <h1 className="mt-4 text-lg font-semibold wrap-anywhere">{children}</h1>
}

function Waiting() {
  return (
    <p role="status" className="mt-4 text-muted">
      One moment…
    </p>
  )
}

function Problem({ sentence }: { readonly sentence: string | null }) {
  return sentence === null ? null : (
    <div className="mt-4">
      <Notice message={sentence} />
    </div>
  )
}

function Failure({ sentence }: { readonly sentence: string }) {
  return (
    <>
      <Title>This did not work</Title>
      <Problem sentence={sentence} />
      <BackToHome />
    </>
  )
}
