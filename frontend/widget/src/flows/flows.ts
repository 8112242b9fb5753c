import { type AppQuestion, destinationOf, readQuestion } from '@lapwing/identity-client/app-question'
import type { Client } from '@lapwing/identity-client/client'
import type {
  Authenticated,
  AuthorizeStarted,
  Bootstrap,
  DataOf,
  LogoutStarted,
  NewTotp,
  PasswordStrength,
} from '@lapwing/identity-client/contract'
import { ApiError, ClientError, isSessionLost } from '@lapwing/identity-client/errors'
import type { EventQueue } from '@lapwing/identity-client/event-queue'
import type { PkceNamespace } from '@lapwing/identity-client/pkce'
import { projectOf } from '@lapwing/identity-client/project'
import { hasApp, hasPasskey, lacksSecondFactor } from '@lapwing/identity-client/second-factor'
import type { SessionCookies } from '@lapwing/identity-client/session-cookies'
import type { WalletApp, WalletType } from '@lapwing/identity-client/wallet-browser'
import type { KeyValueStore } from '../../../src/shared/storage/safe-storage.ts'
import { createStore, type Readable } from '../../../src/shared/store/store.ts'
import type { Config } from '../config/config.ts'
import { passwordlessForm } from '../config/layout.ts'
import type { OAuthProvider, Wallet } from '../config/products.ts'
import {
  type Consent,
  type Event,
  INITIAL,
  type Organization,
  type OtpMethod,
  reduce,
  type State,
  type UserType,
} from '../machine/machine.ts'
import { createOrganizationFlow } from './organizations.ts'
import { problemOf } from './problem-of.ts'
import { hasSecondFactor } from './session-facts.ts'
import { takeToken } from './take-token.ts'

/** What the page hears: `data` is the answer of the call, without its internal copy of the user. */
export interface WidgetEvent {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The parts of the browser that the flows use. */
export interface FlowDeps {
  readonly client: Client
  readonly cookies: SessionCookies
  readonly queue: EventQueue
  /** Of this window alone. Holds the request of an app while a provider's page is open. */
  readonly windowStore: KeyValueStore
  readonly config: () => Config
  readonly page: {
    readonly origin: string
    href(): string
    /** Changes the address without loading it. */
    replaceAddress(href: string): void
    leaveFor(href: string): void
  }
  readonly passkeys: {
    isSupported(): boolean
    canAutofill(): Promise<boolean>
    create(options: string): Promise<string>
    get(options: string, how: { readonly autofill: boolean }): Promise<string>
    cancel(): void
  }
  /** Returns the wallet of this browser that a button is for; null if it has none. */
  readonly findWallet: (wallet: Wallet, types: readonly WalletType[]) => WalletApp | null
  readonly notifyEvent: (event: WidgetEvent) => void
  readonly notifyError: (error: Error) => void
  readonly now: () => number
}

export type PhoneMethod = Exclude<OtpMethod, 'email'>
/** Reads a typed number. `number` is E.164 if it is valid. */
export type ReadNumber = () => Promise<{ readonly isValid: boolean; readonly number: string }>

/** Everything that a person can do. Each action ends in an event of the state machine. */
export interface Flows {
  readonly state: Readable<State>
  /** Loads the settings of the project. A failure is not remembered. */
  bootstrap(): Promise<Bootstrap>
  /** Continues a link or a session of the page. */
  start(): Promise<void>
  dispatch(event: Event): void
  /** Goes back to Main. An answer that is under way changes nothing any more. */
  back(): void
  /** Ends every request, because the widget leaves the page. */
  stop(): void
  /** Mails a code. */
  sendCode(email: string): Promise<void>
  /** Sends a code to the phone whose number `read` returns. The screen waits for both. */
  sendText(method: PhoneMethod, read: ReadNumber): Promise<void>
  sendLink(email: string): Promise<void>
  resend(): Promise<boolean>
  checkCode(code: string): Promise<void>
  searchUser(email: string): Promise<void>
  /** Sends the link or code that the page offers beside passwords. */
  sendPasswordless(): Promise<void>
  createPassword(password: string): Promise<void>
  logIn(email: string, password: string): Promise<void>
  sendReset(email: string): Promise<void>
  sendSetPassword(): Promise<void>
  resetPassword(password: string): Promise<void>
  checkStrength(password: string, signal: AbortSignal): Promise<PasswordStrength | null>
  startOAuth(provider: OAuthProvider): Promise<void>
  logInWithPasskey(): Promise<void>
  /** Offers passkeys inside the field of the address. Returns a function that ends it. */
  offerPasskeys(): () => void
  registerPasskey(): Promise<void>
  /** Ends the offer of a passkey, or shows that one exists. */
  leavePasskeys(): void
  connectWallet(wallet: Wallet): Promise<void>
  createApp(): Promise<void>
  confirmApp(code: string): Promise<void>
  enterAppCode(code: string): Promise<void>
  enterRecoveryCode(code: string): Promise<void>
  /** Ends the look at the recovery codes. */
  leaveCodes(): Promise<void>
  sendFactorText(read: ReadNumber): Promise<void>
  checkFactorText(code: string): Promise<void>
  /** Finds the organization of an address. Leaves for its sign-in if that is the only way. */
  discover(email: string): Promise<void>
  /** Leaves for a sign-in of an organization. */
  startSso(connectionId: string): Promise<void>
  /** Makes the signed-in person a member. */
  join(organization: Organization): Promise<void>
  /** Whether a connected app waits for an answer of the signed-in person. */
  isAsked(): boolean
  /** Shows what the app asks for. Answers it if the person agreed before. */
  askConsent(): Promise<void>
  /** Sends the decision, and leaves for the app. */
  decideConsent(isGranted: boolean): Promise<void>
  /** Signs out for the app that asks for it, and leaves for it. */
  logOutForApp(): Promise<void>
  logOut(): Promise<void>
}

/** Key of the query of a request. */
const CONSENT_KEY = 'lapwing-login-consent'

export function createFlows(deps: FlowDeps): Flows {
  const { client, cookies, queue, page, passkeys, now } = deps
  const project = projectOf(client)
  const organizations = createOrganizationFlow(client)
  const state = createStore<State>(INITIAL)
  let turn = new AbortController()
  /** A session that lacks its second factor. It is nowhere but here. */
  let half: Authenticated | null = null
  /** A sign-in whose recovery codes the person still saves. The page hears of it afterwards. */
  let unsaved: Authenticated | null = null

  const dispatch = (event: Event) => state.set(reduce(state.get(), event))
  const post = <Data>(path: string, body: object = {}, token?: string | null) =>
    client.call<Data>('POST', path, body, token)
  const minutes = () => ({ session_duration_minutes: client.sessionMinutes })
  const emit = (type: string, data: object) => {
    const { __user: _, ...shown } = data as Record<string, unknown>
    deps.notifyEvent({ type, data: shown })
  }

  function endTurn(): void {
    turn.abort()
    turn = new AbortController()
    passkeys.cancel()
  }

  /**
   * Runs one action while the screen waits. Its events count only until the person goes back.
   *
   * @param onFailure returns an event for a failure that has a screen of its own; null for all others
   */
  async function run(
    action: (send: (event: Event) => void, signal: AbortSignal) => Promise<void>,
    onFailure: (error: unknown) => Event | null = () => null,
  ): Promise<void> {
    if (state.get().isPending) return
    const { signal } = turn
    dispatch({ type: 'submitted' })
    const send = (event: Event) => {
      if (!signal.aborted) dispatch(event)
    }
    try {
      await action(send, signal)
    } catch (error) {
      if (signal.aborted) return
      deps.notifyError(error instanceof Error ? error : new Error(String(error)))
      send(onFailure(error) ?? { type: 'failed', problem: problemOf(error) })
    }
  }

  /** Returns the member that binds a link to this browser. Rejects if the settings cannot be loaded. */
  async function challenge(namespace: PkceNamespace) {
    await project.settings()
    return project.challenge(namespace)
  }

  /** Ends a sign-in. Shows the next step that the session or the page still needs, or that it worked. */
  async function finish(answer: Authenticated, accepted: Event, send: (event: Event) => void): Promise<void> {
    if (lacksSecondFactor(answer)) {
      half = answer
      if (hasApp(answer)) return send({ type: 'secondFactorNeeded' })
      return send({ type: 'secondFactorDemanded', factor: hasPasskey(answer) ? 'passkey' : 'app' })
    }
    half = null
    store(answer)
    emit('AUTHENTICATE_FLOW_COMPLETE', answer)
    send((await askedByOrganization(answer)) ?? offerAfter(answer) ?? accepted)
  }

  /** Joins the organization that the person signs in to, or lets them choose; null if nothing is left to ask. */
  async function askedByOrganization(answer: Authenticated): Promise<Event | null> {
    const { hasOrganizations, organizationId } = deps.config()
    const { organization } = state.get()
    // A sign-in of the organization itself has made the person a member.
    if ('organization' in answer) return null
    if (organization !== null) return organizations.enter(organization)
    if (organizationId !== undefined) return organizations.enter(await organizations.get(organizationId))
    if (!hasOrganizations) return null
    // The person is signed in, with or without this list.
    const found = await organizations.ofPerson(answer).catch(() => [])
    return found.length === 0 ? null : { type: 'organizationsFound', organizations: found }
  }

  async function leaveForSso(connectionId: string): Promise<void> {
    const { email } = state.get()
    await leaveFor(`/v1/public/sso/${encodeURIComponent(connectionId)}/start`, { login_hint: email })
  }

  /** Leaves for the start of a sign-in elsewhere, which comes back to this browser alone. */
  async function leaveFor(path: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
    const { oauth } = deps.config()
    await project.settings()
    const address = await project.startUrl(path, {
      login_redirect_url: oauth.loginUrl,
      signup_redirect_url: oauth.signupUrl,
      ...more,
    })
    queue.flush()
    page.leaveFor(address)
  }

  /** Returns what the page offers to this account after a sign-in; null if nothing. */
  function offerAfter(answer: Authenticated): Event | null {
    const { mfaMethods, products } = deps.config()
    if (mfaMethods.length > 0 && !hasSecondFactor(answer)) return { type: 'secondFactorOffered' }
    const isOffered = products.includes('passkeys') && passkeys.isSupported()
    return isOffered && !hasPasskey(answer, domain()) ? { type: 'passkeyOffered' } : null
  }

  function store({ session, session_token: token, session_jwt: jwt }: Authenticated): void {
    cookies.store({ token, jwt, expiresAt: session.expires_at })
  }

  const domain = () => deps.config().passkeyDomain ?? new URL(page.origin).hostname
  const passkeyDomain = () => ({ domain: domain(), return_passkey_credential_options: true })

  async function requestCode(method: OtpMethod, destination: string, call: string): Promise<State['otp']> {
    const { otp } = deps.config()
    const isMail = method === 'email'
    const { method_id: methodId } = await post<{ readonly method_id: string }>(`/otps/${method}/${call}`, {
      ...(isMail ? { email: destination } : { phone_number: destination }),
      expiration_minutes: otp.minutes,
      locale: otp.locale,
      ...(isMail && { login_template_id: otp.loginTemplate, signup_template_id: otp.signupTemplate }),
    })
    return { type: method, methodId, destination, expiresAtMs: now() + otp.minutes * 60_000 }
  }

  async function mailCode(email: string, send: (event: Event) => void, userType?: UserType): Promise<void> {
    const otp = await requestCode('email', email, 'login_or_create')
    emit('OTP_LOGIN_OR_CREATE', { method_id: otp.methodId })
    send({ type: 'otpSent', otp, ...(userType && { userType }) })
    queue.add('email_sent', { email, type: 'login_or_create_otp' })
  }

  async function mailLink(email: string, send: (event: Event) => void, userType?: UserType): Promise<void> {
    const { link } = deps.config()
    const answer = await post<object>('/magic_links/email/login_or_create', {
      email,
      login_magic_link_url: link.loginUrl,
      signup_magic_link_url: link.signupUrl,
      login_expiration_minutes: link.loginMinutes,
      signup_expiration_minutes: link.signupMinutes,
      login_template_id: link.loginTemplate,
      signup_template_id: link.signupTemplate,
      locale: link.locale,
      ...(await challenge('magic_links')),
    })
    emit('MAGIC_LINK_LOGIN_OR_CREATE', { ...answer, email })
    send({ type: 'linkSent', email, ...(userType && { userType }) })
    // The name that the protocol has for a sent link.
    queue.add('email_try_again_clicked', { email, type: 'login_or_create_eml' })
  }

  async function mailReset(email: string): Promise<void> {
    const { password } = deps.config()
    const answer = await post<object>('/passwords/email/reset/start', {
      email,
      login_redirect_url: password.loginUrl,
      reset_password_redirect_url: password.resetUrl,
      reset_password_expiration_minutes: password.resetMinutes,
      locale: password.locale,
      ...(await challenge('passwords')),
    })
    emit('PASSWORD_RESET_BY_EMAIL_START', answer)
    queue.add('email_sent', { email, type: 'reset_password' })
  }

  async function signIn(email: string, password: string, send: (event: Event) => void): Promise<void> {
    try {
      const answer = await post<Authenticated>('/passwords/authenticate', { email, password, ...minutes() })
      emit('PASSWORD_AUTHENTICATE', answer)
      await finish(answer, { type: 'passwordAccepted' }, send)
    } catch (error) {
      const type = error instanceof ApiError ? error.type : ''
      if (type !== 'reset_password' && type !== 'breached_password') throw error
      await mailReset(email)
      send({ type: type === 'reset_password' ? 'resetRequired' : 'passwordBreached', email })
    }
  }

  /** Returns the token of the session that waits for its second factor; null for the page's own session. */
  const halfToken = () => half?.session_token || null

  /** Adds the second factor to the session that waits for it, or to the page's own. */
  async function completeWith(path: string, body: object, send: (event: Event) => void): Promise<void> {
    const accepted: Event = { type: 'secondFactorAccepted' }
    const isSignIn = half !== null
    const answer = await post<Authenticated>(path, { ...body, ...minutes() }, halfToken())
    if (isSignIn) return finish(answer, accepted, send)
    store(answer)
    emit('AUTHENTICATE_FLOW_COMPLETE', answer)
    send(accepted)
  }

  /** Sends a code to the number, or says that it is none. */
  async function textCode(
    method: PhoneMethod,
    read: ReadNumber,
    call: string,
    send: (event: Event) => void,
  ): Promise<State['otp'] | null> {
    const { isValid, number } = await read()
    if (isValid) return requestCode(method, number, call)
    send({ type: 'failed', problem: { type: 'invalid_phone_number', message: '' } })
    return null
  }

  async function authenticatePasskey(credential: string, send: (event: Event) => void): Promise<void> {
    const answer = await post<Authenticated>(
      '/webauthn/authenticate',
      { public_key_credential: credential, ...minutes() },
      halfToken(),
    )
    emit('PASSKEY_AUTHENTICATE', answer)
    await finish(answer, { type: 'passkeyAccepted' }, send)
  }

  /** Returns the request in the page's address, or the one before the visit to a provider; null if there is none. */
  function appRequest(): Extract<AppQuestion, { kind: 'connect' }>['request'] | null {
    if (!deps.config().isIdp) return null
    const { searchParams } = new URL(page.href())
    const stored = deps.windowStore.get(CONSENT_KEY)
    for (const query of [searchParams, new URLSearchParams(stored ?? '')]) {
      const question = readQuestion(query)
      if (question.kind !== 'connect') continue
      deps.windowStore.set(CONSENT_KEY, query.toString())
      return question.request
    }
    return null
  }

  /** Asks before a sign-out for an app, unless the app proves that it means this person. */
  function startLogout(request: object): Promise<void> {
    return run(
      async send => {
        const started = await post<LogoutStarted>('/oauth/logout/start', request)
        const { redirect_uri: address } = started
        if (cookies.token() !== null && started.consent_required) {
          return send({ type: 'logoutAsked', logout: { address, place: destinationOf(address) } })
        }
        await endSession()
        page.leaveFor(address)
      },
      error => {
        dispatch({ type: 'linkFailed' })
        return { type: 'failed', problem: problemOf(error) }
      },
    )
  }

  async function endSession(): Promise<void> {
    if (cookies.token() === null) return
    try {
      // The protocol has no body here.
      await client.call('POST', '/sessions/revoke')
    } catch (error) {
      if (!isSessionLost(error)) throw error
    }
    cookies.clear()
  }

  async function submitConsent(request: NonNullable<ReturnType<typeof appRequest>>, isGranted: boolean) {
    const answer = await post<DataOf<'submitAuthorize'>>('/idp/oauth/authorize/submit', {
      ...request,
      consent_granted: isGranted,
    })
    deps.windowStore.remove(CONSENT_KEY)
    return answer
  }

  /** Shows the organization that the page is for. */
  async function enterOfPage(): Promise<void> {
    const { organizationId } = deps.config()
    if (organizationId === undefined) return
    await run(
      async send =>
        send({ type: 'organizationEntered', organization: await organizations.get(organizationId) }),
      error => {
        dispatch({ type: 'linkFailed' })
        return { type: 'failed', problem: problemOf(error) }
      },
    )
  }

  async function startPasskey(): Promise<string> {
    const answer = await post<{ readonly public_key_credential_request_options: string }>(
      '/webauthn/authenticate/start/primary',
      passkeyDomain(),
    )
    return answer.public_key_credential_request_options
  }

  return {
    state,
    bootstrap: project.settings,
    dispatch,
    back() {
      endTurn()
      half = null
      unsaved = null
      dispatch({ type: 'back' })
    },
    stop: endTurn,

    async start() {
      // Before the person leaves for a provider.
      appRequest()
      const question = readQuestion(new URL(page.href()).searchParams)
      if (deps.config().isIdp && question.kind === 'sign-out') return startLogout(question.request)
      const found = takeToken(page)
      // A request from before belongs only to the return of a provider or link.
      if (found === null && question.kind !== 'connect') {
        deps.windowStore.remove(CONSENT_KEY)
      }
      if (found?.type === 'reset_password') return dispatch({ type: 'resetTokenFound', token: found.token })
      if (found?.type === 'failed') {
        deps.notifyError(new ClientError(found.problem.message))
        dispatch({ type: 'linkFailed' })
        return dispatch({ type: 'failed', problem: found.problem })
      }
      if (found !== null) {
        return run(
          async send => {
            const { type, token } = found
            const answer =
              type === 'oauth' || type === 'sso'
                ? await project.exchange<'authenticateOAuth' | 'authenticateSso'>(
                    'oauth',
                    `/${type}/authenticate`,
                    { token },
                  )
                : await project.exchange<'authenticateMagicLink'>(
                    type === 'login' ? 'passwords' : 'magic_links',
                    '/magic_links/authenticate',
                    { token },
                  )
            await finish(answer, { type: 'sessionFound' }, send)
          },
          error => {
            dispatch({ type: 'linkFailed' })
            return { type: 'failed', problem: problemOf(error) }
          },
        )
      }
      if (cookies.token() === null) return enterOfPage()
      try {
        const answer = await post<Authenticated>('/sessions/authenticate')
        if (lacksSecondFactor(answer)) return enterOfPage()
        store(answer)
        const isOfOne = deps.config().organizationId !== undefined
        dispatch((isOfOne ? await askedByOrganization(answer) : null) ?? { type: 'sessionFound' })
      } catch (error) {
        if (isSessionLost(error)) cookies.clear()
        return enterOfPage()
      }
    },

    sendCode: email => run(send => mailCode(email, send)),
    sendText: (method, read) =>
      run(async send => {
        const otp = await textCode(method, read, 'login_or_create', send)
        if (otp === null) return
        emit('OTP_LOGIN_OR_CREATE', { method_id: otp.methodId })
        send({ type: 'otpSent', otp })
      }),
    sendLink: email => run(send => mailLink(email, send)),

    async resend() {
      const before = state.get()
      await run(async send => {
        const { screen, otp, email } = before
        if (screen === 'OTPAuthenticate' || screen === 'EmailOTPEntry' || screen === 'SMSOTPEntry') {
          const isFactor = screen === 'SMSOTPEntry'
          const sent = await requestCode(
            otp.type,
            otp.destination,
            isFactor ? 'send/secondary' : 'login_or_create',
          )
          return send({ type: isFactor ? 'textSent' : 'otpSent', otp: sent })
        }
        if (screen === 'EmailConfirmation') return mailLink(email, send)
        await mailReset(email)
        send({ type: screen === 'PasswordSetNew' ? 'setPasswordSent' : 'resetSent', email })
      })
      return state.get().screen === before.screen && state.get().error === null
    },

    checkCode: code =>
      run(async send => {
        const answer = await post<Authenticated>('/otps/authenticate', {
          token: code,
          method_id: state.get().otp.methodId,
          ...minutes(),
        })
        emit('OTP_AUTHENTICATE', answer)
        await finish(answer, { type: 'otpAccepted' }, send)
      }),

    searchUser: email =>
      run(async send => {
        const { userType } = await post<{ readonly userType: UserType }>('/users/search', { email })
        if (userType !== 'passwordless') return send({ type: 'userFound', email, userType })
        const form = passwordlessForm(deps.config())
        if (form === 'link') return mailLink(email, send, userType)
        if (form === 'code') return mailCode(email, send, userType)
        if (form === 'choice') return send({ type: 'emailGiven', email, userType })
        await mailReset(email)
        send({ type: 'setPasswordSent', email })
      }),

    sendPasswordless: () =>
      run(async send => {
        const { email } = state.get().password
        const form = passwordlessForm(deps.config())
        if (form === 'choice') return send({ type: 'emailGiven', email })
        return form === 'code' ? mailCode(email, send) : mailLink(email, send)
      }),

    createPassword: password =>
      run(async send => {
        const { email } = state.get().password
        const answer = await post<Authenticated>('/passwords', { email, password, ...minutes() })
        emit('PASSWORD_CREATE', answer)
        await finish(answer, { type: 'passwordAccepted' }, send)
      }),
    logIn: (email, password) => run(send => signIn(email, password, send)),
    sendReset: email =>
      run(async send => {
        await mailReset(email)
        send({ type: 'resetSent', email })
      }),
    sendSetPassword: () =>
      run(async send => {
        const { email } = state.get()
        await mailReset(email)
        send({ type: 'setPasswordSent', email })
      }),
    resetPassword: password =>
      run(
        async send => {
          const token = state.get().resetToken
          const answer = await project.exchange<'resetPasswordByEmail'>(
            'passwords',
            '/passwords/email/reset',
            { token, password },
          )
          emit('PASSWORD_RESET_BY_EMAIL', answer)
          await finish(answer, { type: 'passwordReset' }, send)
        },
        error => {
          // No other password helps: the link itself is over.
          if (!(error instanceof ApiError) || error.type !== 'unable_to_auth_password_reset_token')
            return null
          dispatch({ type: 'linkFailed' })
          return { type: 'failed', problem: problemOf(error) }
        },
      ),
    async checkStrength(password, signal) {
      const { email } = state.get().password
      const strength = await post<PasswordStrength>('/passwords/strength_check', {
        email: email || undefined,
        password,
      }).catch(() => null)
      return signal.aborted ? null : strength
    },

    startOAuth: provider =>
      run(async () => {
        const settings = await project.settings()
        queue.add('start_oauth_flow', { provider_type: provider, pkce: settings.pkce_required_for_oauth })
        await leaveFor(`/v1/public/oauth/${provider}/start`)
      }),

    logInWithPasskey: () =>
      run(async send => {
        const credential = await passkeys.get(await startPasskey(), { autofill: false })
        await authenticatePasskey(credential, send)
      }),
    offerPasskeys() {
      let isOffered = true
      const offer = async () => {
        if (!passkeys.isSupported() || !(await passkeys.canAutofill())) return
        const options = await startPasskey()
        if (!isOffered) return
        const credential = await passkeys.get(options, { autofill: true })
        if (isOffered) await run(send => authenticatePasskey(credential, send))
      }
      // The person asked for nothing yet, so a failure needs no sentence.
      offer().catch(() => {})
      return () => {
        isOffered = false
        passkeys.cancel()
      }
    },
    registerPasskey: () =>
      run(async send => {
        const { public_key_credential_creation_options: options } = await post<{
          readonly public_key_credential_creation_options: string
        }>('/webauthn/register/start', passkeyDomain())
        const answer = await post<Authenticated & { readonly webauthn_registration_id: string }>(
          '/webauthn/register',
          { public_key_credential: await passkeys.create(options), ...minutes() },
        )
        store(answer)
        emit('PASSKEY_REGISTER', answer)
        send({ type: 'passkeyRegistered', passkeyId: answer.webauthn_registration_id })
      }),
    leavePasskeys() {
      const isDone = state.get().screen === 'PasskeyRegistrationSuccess'
      emit(isDone ? 'PASSKEY_DONE' : 'PASSKEY_SKIP', {})
      dispatch({ type: isDone ? 'finished' : 'skipped' })
    },

    async connectWallet(wallet) {
      if (state.get().isPending) return
      const settings = await project.settings().catch(() => null)
      const app = deps.findWallet(wallet, settings?.wallet_types ?? ['ethereum', 'solana'])
      dispatch({ type: 'walletChosen', wallet })
      if (app === null) return dispatch({ type: 'walletMissing' })
      await run(
        async (send, signal) => {
          const address = await app.connect(signal)
          const isSiwe = app.type === 'ethereum' && settings?.siwe_required_for_crypto_wallets
          const of = { crypto_wallet_address: address, crypto_wallet_type: app.type }
          const started = await post<{ readonly challenge: string }>(
            '/crypto_wallets/authenticate/start/primary',
            { ...of, ...(isSiwe && { siwe_params: { uri: page.origin } }) },
          )
          emit('CRYPTO_WALLET_AUTHENTICATE_START', started)
          send({ type: 'challengeReceived', address, challenge: started.challenge })
          const signature = await app.sign(address, started.challenge, signal)
          const answer = await post<Authenticated>('/crypto_wallets/authenticate', {
            ...of,
            signature,
            ...minutes(),
          })
          emit('CRYPTO_WALLET_AUTHENTICATE', answer)
          await finish(answer, { type: 'walletAccepted' }, send)
        },
        error => {
          dispatch({ type: 'walletFailed' })
          return { type: 'failed', problem: problemOf(error) }
        },
      )
    },

    createApp: () =>
      run(async send => {
        const {
          secret,
          qr_code: qrCode,
          recovery_codes: recoveryCodes,
        } = await post<NewTotp>('/totps', { expiration_minutes: 60 }, halfToken())
        send({ type: 'appCreated', app: { secret, qrCode, recoveryCodes } })
      }),
    confirmApp: code =>
      run(async send => {
        const body = { totp_code: code, ...minutes() }
        const answer = await post<Authenticated>('/totps/authenticate', body, halfToken())
        store(answer)
        // A page may leave when it hears of the sign-in, and nobody would see the codes.
        if (half !== null) unsaved = answer
        half = null
        send({ type: 'appConfirmed' })
      }),
    leaveCodes: () =>
      run(async send => {
        const saved: Event = { type: 'saved' }
        const answer = unsaved
        unsaved = null
        return answer === null ? send(saved) : finish(answer, saved, send)
      }),
    enterAppCode: code => run(send => completeWith('/totps/authenticate', { totp_code: code }, send)),
    enterRecoveryCode: code => run(send => completeWith('/totps/recover', { recovery_code: code }, send)),
    sendFactorText: read =>
      run(async send => {
        const otp = await textCode('sms', read, 'send/secondary', send)
        if (otp !== null) send({ type: 'textSent', otp })
      }),
    checkFactorText: code =>
      run(send =>
        completeWith('/otps/authenticate', { token: code, method_id: state.get().otp.methodId }, send),
      ),

    discover: email =>
      run(async send => {
        const organization = await organizations.discover(email)
        if (organization === null) return send({ type: 'organizationMissing', email })
        const { methods, connections } = organization
        send({ type: 'organizationFound', email, organization })
        const isSsoAlone = methods.every(method => method === 'sso') && connections.length === 1
        if (isSsoAlone) await leaveForSso(connections[0]!.id)
      }),
    startSso: connectionId => run(() => leaveForSso(connectionId)),
    join: organization =>
      run(async send => send((await organizations.enter(organization)) ?? { type: 'joined' })),

    isAsked: () => appRequest() !== null,
    askConsent: () =>
      run(async send => {
        const request = appRequest()
        if (request === null) return
        const started = await post<AuthorizeStarted>('/idp/oauth/authorize/start', request)
        if (started.consent_required) {
          emit('OAUTH_AUTHORIZE_FLOW_START', { client_id: request.client_id })
          return send({ type: 'consentAsked', consent: consentOf(started, request.redirect_uri) })
        }
        const { redirect_uri: address } = await submitConsent(request, false)
        emit('OAUTH_AUTHORIZE_FLOW_COMPLETE', {})
        page.leaveFor(address)
      }),
    decideConsent: isGranted =>
      run(async () => {
        const request = appRequest()
        if (request === null) return
        const { redirect_uri: address } = await submitConsent(request, isGranted)
        emit(isGranted ? 'OAUTH_AUTHORIZE_FLOW_COMPLETE' : 'OAUTH_AUTHORIZE_FLOW_CONSENT_DENIED', {})
        queue.flush()
        page.leaveFor(address)
      }),

    logOutForApp: () =>
      run(async () => {
        const { logout } = state.get()
        await endSession()
        if (logout !== null) page.leaveFor(logout.address)
      }),

    logOut: () =>
      run(async send => {
        await endSession()
        send({ type: 'signedOut' })
      }),
  }
}

/** Returns what the person reads about a request. */
function consentOf({ client, scope_results, user }: AuthorizeStarted, redirectUri: string): Consent {
  const granted = scope_results.filter(({ is_grantable }) => is_grantable)
  const email = user.emails.find(({ verified }) => verified) ?? user.emails[0]
  return {
    appName: client.client_name,
    appDescription: client.client_description,
    scopes: granted.map(({ description }) => description),
    // Every other scope only reads.
    canChange: granted.some(({ scope }) => scope === 'full_access'),
    email: email?.email ?? '',
    place: destinationOf(redirectUri),
  }
}
