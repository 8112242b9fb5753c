import { UnreachableError } from '@lapwing/identity-client/errors'
import { X } from 'lucide-react'
import { Component, lazy, type ReactNode, Suspense, use, useEffect, useRef, useState } from 'react'
import useSWR, { SWRConfig } from 'swr'
import { useStore } from '../../../src/shared/store/use-store.ts'
import type { Place } from '../config/place.ts'
import type { Screen as ScreenName } from '../machine/transitions.ts'
import { Main } from '../screens/Main.tsx'
import * as notices from '../screens/notices.tsx'
import type { Texts } from '../texts/texts.ts'
import { useWidget, Widget, type WidgetContext } from './context.ts'
import { Spinner } from './parts.tsx'

export interface WidgetProps extends Omit<WidgetContext, 'acting' | 'act' | 'toast' | 'bootstrap'> {
  readonly place: Place
  readonly theme: 'dark' | 'light'
  readonly notifyError: (error: Error) => void
}

/** Milliseconds for which a toast is shown. */
const TOAST_MS = 4_000

/** How long answers count, in milliseconds. Slow networks wait longer. */
const isSlow = () => {
  const { connection } = navigator as { connection?: { readonly effectiveType?: string } }
  return ['slow-2g', '2g'].includes(connection?.effectiveType ?? '')
}
const fetching = () => ({
  provider: () => new Map(),
  dedupingInterval: 2_000,
  focusThrottleInterval: 5_000,
  errorRetryInterval: isSlow() ? 10_000 : 5_000,
  loadingTimeout: isSlow() ? 5_000 : 3_000,
})

/** The widget of one element. */
export function WidgetRoot(props: WidgetProps) {
  const [settings] = useState(fetching)
  return (
    <SWRConfig value={settings}>
      <Loaded {...props} />
    </SWRConfig>
  )
}

function Loaded({ place, theme, notifyError, ...parts }: WidgetProps) {
  const { flows, texts, wallets, config, direction } = parts
  const state = useStore(flows.state)
  const [isStarting, setStarting] = useState(true)
  const [acting, setActing] = useState('link')
  const [toasted, setToasted] = useState('')
  const root = useRef<HTMLDivElement>(null)
  const isFirst = useRef(true)

  const { data: bootstrap, mutate } = useSWR('bootstrap', flows.bootstrap, {
    revalidateOnFocus: false,
    onSuccess: () => flows.dispatch({ type: 'retried' }),
    onError: (error: Error) => {
      notifyError(error)
      // Any other failure leaves the defaults: the forms still work.
      if (error instanceof UnreachableError) flows.dispatch({ type: 'blocked' })
    },
  })

  useEffect(() => {
    flows.start().finally(() => setStarting(false))
    return flows.stop
  }, [flows])
  const hasWallets = config.products.includes('crypto')
  useEffect(() => (hasWallets ? wallets.watch() : undefined), [wallets, hasWallets])
  useEffect(() => {
    if (toasted === '') return
    const timer = setTimeout(() => setToasted(''), TOAST_MS)
    return () => clearTimeout(timer)
  }, [toasted])

  const context: WidgetContext = {
    ...parts,
    bootstrap: bootstrap ?? null,
    acting,
    act(id, action) {
      setActing(id)
      void action()
    },
    toast: setToasted,
  }
  return (
    <Widget value={context}>
      <div
        ref={root}
        className="root"
        data-screen={state.screen}
        data-theme={theme}
        dir={direction}
        lang={texts.locale()}
      >
        <Placed place={place}>
          {isStarting && state.screen === 'Main' ? (
            <Waiting label={texts.text('login.loading')} />
          ) : (
            <Failsafe
              key={state.screen}
              message={texts.text('error.unreachable')}
              retry={texts.text('button.retry')}
              onRetry={flows.back}
            >
              <Suspense fallback={<Waiting label={texts.text('status.busy')} />}>
                <Focus root={root} isFirst={isFirst}>
                  {state.screen === 'AdBlockerDetected' ? (
                    <notices.AdBlockerDetected onRetry={() => void mutate()} />
                  ) : (
                    <CurrentScreen screen={state.screen} />
                  )}
                </Focus>
              </Suspense>
            </Failsafe>
          )}
          <div role="status" className="toast" data-empty={toasted === ''}>
            {toasted}
          </div>
        </Placed>
      </div>
    </Widget>
  )
}

/** Shown while the first screen, or the code of another one, is awaited. */
function Waiting({ label }: { readonly label: string }) {
  return (
    <p className="starting">
      <Spinner label={label} />
    </p>
  )
}

/** Shows the widget in its place, or in a panel over the page with a button that opens it again. */
function Placed({ place, children }: { readonly place: Place; readonly children: ReactNode }) {
  if (place === 'inPlace') return <section className="card">{children}</section>
  return <Panel>{children}</Panel>
}

function Panel({ children }: { readonly children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { texts } = useWidget()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <>
      <button type="button" className="button primary" onClick={() => dialog.current?.showModal()}>
        {texts.text('button.open')}
      </button>
      <dialog ref={dialog} className="card panel" aria-label={texts.text('login.title')}>
        <button
          type="button"
          className="icon close"
          aria-label={texts.text('button.close')}
          onClick={() => dialog.current?.close()}
        >
          <X size={18} aria-hidden />
        </button>
        {children}
      </dialog>
    </>
  )
}

/** Moves the focus into a new screen: to its first field, otherwise to its title. Not when the page loads. */
function Focus({
  root,
  isFirst,
  children,
}: {
  readonly root: { readonly current: HTMLElement | null }
  readonly isFirst: { current: boolean }
  readonly children: ReactNode
}) {
  useEffect(() => {
    if (!isFirst.current) {
      const field = root.current?.querySelector<HTMLElement>('[data-focus]')
      const target = field ?? root.current?.querySelector<HTMLElement>('h2')
      target?.focus()
    }
    isFirst.current = false
  }, [root, isFirst])
  return children
}

/** Shows a sentence if the code of a screen does not load. */
class Failsafe extends Component<
  {
    readonly message: string
    readonly retry: string
    readonly onRetry: () => void
    readonly children: ReactNode
  },
  { readonly isBroken: boolean }
> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    if (!this.state.isBroken) return this.props.children
    return (
      <>
        <p role="alert">{this.props.message}</p>
        <button type="button" className="button primary" onClick={this.props.onRetry}>
          {this.props.retry}
        </button>
      </>
    )
  }
}

type Loader<Name extends string> = () => Promise<Readonly<Record<Name, () => ReactNode>>>

/** Loads a group of screens with the first of them. */
function screensOf<Name extends string>(load: Loader<Name>, names: readonly Name[]) {
  const entries = names.map(
    name => [name, lazy(async () => ({ default: (await load())[name] as () => ReactNode }))] as const,
  )
  return Object.fromEntries(entries) as unknown as Readonly<Record<Name, () => ReactNode>>
}

const SCREENS: Readonly<Record<Exclude<ScreenName, 'AdBlockerDetected'>, () => ReactNode>> = {
  Main,
  Error: notices.ErrorScreen,
  LoggedIn: notices.LoggedIn,
  OTPConfirmation: notices.OTPConfirmation,
  PasswordConfirmation: notices.PasswordConfirmation,
  PasswordSetNewConfirmation: notices.PasswordSetNewConfirmation,
  PasskeyConfirmation: notices.PasskeyConfirmation,
  CryptoConfirmation: notices.CryptoConfirmation,
  ...screensOf(
    () => import('../screens/codes.tsx'),
    ['EmailConfirmation', 'EmailMethodSelection', 'EmailOTPEntry', 'OTPAuthenticate'],
  ),
  ...screensOf(() => import('../screens/consent.tsx'), ['IDPConsent']),
  ...screensOf(
    () => import('../screens/organizations.tsx'),
    [
      'SSODiscoveryEmail',
      'SSODiscoveryFallback',
      'SSODiscoveryMenu',
      'OrganizationDiscoveryClaimedDomain',
      'Organization',
      'Discovery',
      'CannotJoinOrgDueToAuthPolicy',
    ],
  ),
  ...screensOf(
    () => import('../screens/passwords.tsx'),
    [
      'PasswordEmail',
      'PasswordCreateOrLogin',
      'PasswordAuthenticate',
      'PasswordForgot',
      'PasswordForgotForm',
      'PasswordResetVerifyConfirmation',
      'PasswordBreached',
      'PasswordSetNew',
      'PasswordDedupe',
      'PasswordResetForm',
    ],
  ),
  ...screensOf(() => import('../screens/passkeys.tsx'), ['RegisterNewPasskey', 'PasskeyRegistrationSuccess']),
  ...screensOf(
    () => import('../screens/wallets.tsx'),
    ['CryptoConnect', 'CryptoSignMessage', 'CryptoOtherScreen', 'CryptoSetupWallet', 'CryptoError'],
  ),
  ...screensOf(
    () => import('../screens/second-factor.tsx'),
    [
      'MFAEnrollmentSelection',
      'TOTPEnrollmentQRCode',
      'TOTPEnrollmentManual',
      'TOTPEntry',
      'RecoveryCodeEntry',
      'RecoveryCodeSave',
      'SMSOTPEnrollment',
      'SMSOTPEntry',
    ],
  ),
}

function CurrentScreen({ screen }: { readonly screen: Exclude<ScreenName, 'AdBlockerDetected'> }) {
  const { texts } = useWidget()
  const Shown = SCREENS[screen]
  // The messages of other screens have plurals and tags.
  if (screen !== 'Main') use(preparedOf(texts))
  return <Shown />
}

/** Returns one promise for the texts of a widget, because React compares promises. */
function preparedOf(texts: Texts): Promise<void> {
  const found = prepared.get(texts) ?? texts.prepare()
  prepared.set(texts, found)
  // The next try loads again.
  found.catch(() => prepared.delete(texts))
  return found
}

const prepared = new WeakMap<Texts, Promise<void>>()
