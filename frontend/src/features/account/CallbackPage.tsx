import { CircleAlert, CircleCheck, Info, LoaderCircle } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Button } from '#shared/ui/Button.tsx'
import { LapwingMark } from '#shared/ui/LapwingMark.tsx'
import type { Account } from './account.ts'
import { finishSignIn, type SignInResult, welcome } from './finish-sign-in.ts'
import { SecondStep } from './SecondStep.tsx'

/** Milliseconds for which the success is visible before the main screen opens. */
const HOME_DELAY_MS = 1000

/** `/authenticate`: the page to which providers and mailed links send the browser. */
export function CallbackPage({ account }: { readonly account: Account }) {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const [result, setResult] = useState<Shown | null>(null)

  useEffect(() => {
    let isShown = true
    void once(account, query).then(ended => {
      if (!isShown) return
      if (ended.kind === 'elsewhere') return void navigate(ended.to, { replace: true })
      setResult(ended)
    })
    return () => {
      isShown = false
    }
  }, [account, query, navigate])
  const next = result?.kind === 'signed-in' ? result.next : null
  useEffect(() => {
    if (next === null) return
    return account.page.after(HOME_DELAY_MS, () => void navigate(next, { replace: true }))
  }, [account, next, navigate])

  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <title>Sign in · Lapwing</title>
      <div className="w-full max-w-[400px] rounded-card border border-line bg-card p-5 text-center sm:p-7">
        <div className="flex justify-center">
          <LapwingMark size={32} />
        </div>
        <h1 className="sr-only">Sign in</h1>
        {result?.kind === 'second-factor' ? (
          <div className="mt-4 text-left">
            <SecondStep
              account={account}
              pending={result.pending}
              onDone={() => setResult(welcome(account))}
            />
          </div>
        ) : (
          <Outcome result={result} />
        )}
        {result && (
          <Button
            className="mt-5"
            onClick={() => void navigate(result.kind === 'signed-in' ? result.next : '/', { replace: true })}
          >
            {result.kind === 'signed-in' ? 'Go to Home' : 'Back to Home'}
          </Button>
        )}
      </div>
    </main>
  )
}

/** What the page can show. */
type Shown = Exclude<SignInResult, { kind: 'elsewhere' }>

const signs = {
  running: { Icon: LoaderCircle, style: 'animate-spin text-muted' },
  'signed-in': { Icon: CircleCheck, style: 'shrink-0 text-gain' },
  cancelled: { Icon: Info, style: 'shrink-0 text-muted' },
  failed: { Icon: CircleAlert, style: 'shrink-0 text-loss' },
} as const

function Outcome({ result }: { readonly result: Exclude<Shown, { kind: 'second-factor' }> | null }) {
  const { Icon, style } = signs[result?.kind ?? 'running']
  const sentence = result && 'sentence' in result ? result.sentence : 'You are signed in.'
  return (
    <div
      role={result?.kind === 'failed' ? 'alert' : 'status'}
      className="mt-5 flex items-center justify-center gap-2 text-sm"
    >
      <Icon size={18} aria-hidden className={style} />
      {result ? sentence : 'Finishing sign-in…'}
    </div>
  )
}

const exchanges = new WeakMap<Account, Map<string, Promise<SignInResult>>>()

/** Runs each exchange once: a token is valid once, and React can run an effect twice. */
function once(account: Account, query: URLSearchParams): Promise<SignInResult> {
  const ofAccount = exchanges.get(account) ?? new Map<string, Promise<SignInResult>>()
  exchanges.set(account, ofAccount)
  const key = query.toString()
  const running = ofAccount.get(key) ?? finishSignIn(account, query)
  ofAccount.set(key, running)
  return running
}
