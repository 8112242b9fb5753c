import { type EventType, type Screen, TRANSITIONS } from './transitions.ts'

/** What a search for an address found: no account, one with a password, or one without. */
export type UserType = 'new' | 'password' | 'passwordless'
export type OtpMethod = 'sms' | 'whatsapp' | 'email'

/** Everything that the widget shows. One screen at a time. */
export interface State {
  readonly screen: Screen
  /** The address of the magic link, and of the forms that ask for an address. */
  readonly email: string
  /** `destination` is an address, or a number in E.164. `expiresAtMs` is when the code ends. */
  readonly otp: {
    readonly type: OtpMethod
    readonly methodId: string
    readonly destination: string
    readonly expiresAtMs: number
  }
  readonly crypto: { readonly address: string; readonly wallet: string; readonly challenge: string }
  readonly password: { readonly email: string; readonly type: UserType }
  readonly resetToken: string
  /** Null until it is created. Holds the secret only while it is set up. */
  readonly totp: NewApp | null
  readonly passkeyId: string
  /** The second factor without which nobody signs in here; null if it is offered, or needs no setup. */
  readonly demanded: DemandedFactor | null
  /** The organization that the person signs in to; null if none is known. */
  readonly organization: Organization | null
  /** Organizations that the signed-in person can choose from. */
  readonly organizations: readonly Organization[]
  /** What a connected app asks for; null if none does. */
  readonly consent: Consent | null
  /** Where a sign-out for an app leads; null if none is asked for. */
  readonly logout: Logout | null
  readonly error: Problem | null
  readonly isPending: boolean
}

/** An account without a passkey sets up an app. One with a passkey has to use it. */
export type DemandedFactor = 'app' | 'passkey'

/** An authenticator app that waits for its first code. `qrCode` is a `data:` address of a picture. */
export interface NewApp {
  readonly secret: string
  readonly qrCode: string
  readonly recoveryCodes: readonly string[]
}

/** A sign-out that an app asks for. `place` is what the person reads of `address`. */
export interface Logout {
  readonly address: string
  readonly place: string
}

/** An organization, and how its people sign in. */
export interface Organization {
  readonly id: string
  readonly name: string
  readonly methods: readonly string[]
  readonly connections: readonly { readonly id: string; readonly name: string }[]
}

/** A connected app that waits for the person's decision. */
export interface Consent {
  readonly appName: string
  readonly appDescription: string
  /** What the app could do, a sentence each. */
  readonly scopes: readonly string[]
  readonly canChange: boolean
  /** Of the signed-in account; empty if it has no address. */
  readonly email: string
  /** Where the browser goes: a host, or the scheme of a program. */
  readonly place: string
}

/** A failure for the person. `type` is the `error_type` of the protocol; empty if the answer has none. */
export interface Problem {
  readonly type: string
  readonly message: string
}

/** What happened, and what the state stores of it. */
export type Event =
  | { readonly type: Exclude<EventType, CarryingType> }
  | { readonly type: 'failed'; readonly problem: Problem }
  /** `userType` is what a search found before. */
  | { readonly type: 'otpSent'; readonly otp: State['otp']; readonly userType?: UserType }
  | { readonly type: 'textSent'; readonly otp: State['otp'] }
  | { readonly type: 'linkSent'; readonly email: string; readonly userType?: UserType }
  | { readonly type: 'emailGiven'; readonly email: string; readonly userType?: UserType }
  | { readonly type: 'userFound'; readonly email: string; readonly userType: UserType }
  | { readonly type: 'resetSent'; readonly email: string }
  | { readonly type: 'resetRequired'; readonly email: string }
  | { readonly type: 'passwordBreached'; readonly email: string }
  | { readonly type: 'setPasswordSent'; readonly email: string }
  | { readonly type: 'resetTokenFound'; readonly token: string }
  | { readonly type: 'walletChosen'; readonly wallet: string }
  | { readonly type: 'challengeReceived'; readonly address: string; readonly challenge: string }
  | { readonly type: 'secondFactorDemanded'; readonly factor: DemandedFactor }
  | { readonly type: 'appCreated'; readonly app: NewApp }
  | { readonly type: 'organizationMissing'; readonly email: string }
  | { readonly type: 'organizationFound'; readonly email: string; readonly organization: Organization }
  | {
      readonly type: 'organizationEntered' | 'connectionsWanted' | 'joinRefused'
      readonly organization: Organization
    }
  | { readonly type: 'organizationsFound'; readonly organizations: readonly Organization[] }
  | { readonly type: 'consentAsked'; readonly consent: Consent }
  | { readonly type: 'logoutAsked'; readonly logout: Logout }
  | { readonly type: 'passkeyRegistered'; readonly passkeyId: string }

type CarryingType =
  | 'failed'
  | 'otpSent'
  | 'textSent'
  | 'linkSent'
  | 'emailGiven'
  | 'userFound'
  | 'resetSent'
  | 'resetRequired'
  | 'passwordBreached'
  | 'setPasswordSent'
  | 'resetTokenFound'
  | 'walletChosen'
  | 'challengeReceived'
  | 'secondFactorDemanded'
  | 'appCreated'
  | 'organizationMissing'
  | 'organizationFound'
  | 'organizationEntered'
  | 'connectionsWanted'
  | 'joinRefused'
  | 'organizationsFound'
  | 'consentAsked'
  | 'logoutAsked'
  | 'passkeyRegistered'

/** The state of a widget that has just been added to a page. */
export const INITIAL: State = {
  screen: 'Main',
  email: '',
  otp: { type: 'email', methodId: '', destination: '', expiresAtMs: 0 },
  crypto: { address: '', wallet: 'Metamask', challenge: '' },
  password: { email: '', type: 'new' },
  resetToken: '',
  totp: null,
  passkeyId: '',
  demanded: null,
  organization: null,
  organizations: [],
  consent: null,
  logout: null,
  error: null,
  isPending: false,
}

/**
 * Returns the next state. An event that the table does not list for the screen returns the same object, so a
 * late answer changes nothing.
 */
export function reduce(state: State, event: Event): State {
  const next = TRANSITIONS[state.screen][event.type]
  if (next === undefined) return state
  const after = { ...stored(state, event), screen: next }
  // Nobody needs the secrets of the app any more.
  const isSetUp = state.screen === 'RecoveryCodeSave' && next !== state.screen
  return isSetUp ? { ...after, totp: null, demanded: null } : after
}

/** Returns the state with what the event brings. Only `failed` leaves an error; only `submitted` waits. */
function stored(state: State, event: Event): State {
  const settled: State = { ...state, error: null, isPending: false }
  switch (event.type) {
    case 'submitted':
      return { ...settled, isPending: true }
    case 'failed':
    case 'blocked':
      return { ...settled, error: event.type === 'failed' ? event.problem : null }
    case 'otpSent':
    case 'textSent': {
      const { otp } = event
      const found = event.type === 'otpSent' ? event.userType : undefined
      return withType({ ...settled, otp, ...(otp.type === 'email' && { email: otp.destination }) }, found)
    }
    case 'linkSent':
    case 'emailGiven':
      return withType({ ...settled, email: event.email }, event.userType)
    case 'userFound':
      return { ...settled, email: event.email, password: { email: event.email, type: event.userType } }
    case 'resetSent':
    case 'resetRequired':
    case 'passwordBreached':
    case 'setPasswordSent':
      return { ...settled, email: event.email, password: { ...state.password, email: event.email } }
    case 'resetTokenFound':
      return { ...settled, resetToken: event.token }
    case 'walletChosen':
      return { ...settled, crypto: { ...INITIAL.crypto, wallet: event.wallet } }
    case 'challengeReceived':
      return { ...settled, crypto: { ...state.crypto, address: event.address, challenge: event.challenge } }
    case 'secondFactorDemanded':
      return { ...settled, demanded: event.factor }
    case 'secondFactorOffered':
      return { ...settled, demanded: null }
    case 'skipped':
      return { ...settled, totp: null }
    case 'appCreated':
      return { ...settled, totp: event.app }
    case 'passkeyRegistered':
      return { ...settled, passkeyId: event.passkeyId }
    case 'organizationMissing':
      return { ...settled, email: event.email }
    case 'organizationFound':
      return { ...settled, email: event.email, organization: event.organization }
    case 'organizationEntered':
    case 'connectionsWanted':
    case 'joinRefused':
      return { ...settled, organization: event.organization }
    case 'organizationsFound':
      return { ...settled, organizations: event.organizations }
    case 'logoutAsked':
      return { ...settled, logout: event.logout }
    case 'consentAsked':
      return { ...settled, consent: event.consent }
    case 'back':
      // The address stays, so that nobody types it twice. Secrets and tokens do not.
      return { ...INITIAL, email: state.email }
    case 'signedOut':
      return INITIAL
    default:
      return settled
  }
}

function withType(state: State, type: UserType | undefined): State {
  return type === undefined ? state : { ...state, password: { email: state.email, type } }
}
