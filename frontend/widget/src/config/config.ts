import { UsageError } from '@lapwing/identity-client/errors'
import type { OtpMethod } from '../machine/machine.ts'
import {
  MFA_METHODS,
  type MfaMethod,
  MODES,
  type Mode,
  OAUTH_PROVIDERS,
  type OAuthProvider,
  OTP_METHODS,
  PRODUCTS,
  type Product,
  THEMES,
  type Theme,
} from './products.ts'

/** What a page may pass as `config`. Absent members have the defaults of `Config`. */
export interface ConfigInput {
  readonly products?: readonly Product[]
  /** Whether Text, WhatsApp and Email are tabs, or forms below each other. */
  readonly tabs?: boolean
  readonly emailMagicLinksOptions?: {
    readonly loginRedirectURL?: string
    readonly signupRedirectURL?: string
    readonly loginExpirationMinutes?: number
    readonly signupExpirationMinutes?: number
    readonly createUserAsPending?: boolean
    readonly loginTemplateId?: string
    readonly signupTemplateId?: string
    readonly locale?: string
    /** Whether the person chooses between a link and a code. */
    readonly offersCode?: boolean
  }
  readonly otpOptions?: {
    readonly methods?: readonly OtpMethod[]
    readonly expirationMinutes?: number
    readonly loginTemplateId?: string
    readonly signupTemplateId?: string
    readonly locale?: string
  }
  readonly oauthOptions?: {
    readonly providers?: readonly (OAuthProvider | ProviderInput)[]
    readonly loginRedirectURL?: string
    readonly signupRedirectURL?: string
  }
  readonly passwordOptions?: {
    readonly loginRedirectURL?: string
    readonly resetPasswordRedirectURL?: string
    readonly resetPasswordExpirationMinutes?: number
    readonly locale?: string
  }
  readonly passkeyOptions?: { readonly domain?: string }
  readonly mfaOptions?: { readonly methods?: readonly MfaMethod[] }
  readonly sessionOptions?: { readonly sessionDurationMinutes?: number }
  /** Whether the page answers requests of connected apps, which its address carries. */
  readonly idp?: boolean
  /** Whether people can find the organization of their address, and choose it after a sign-in. */
  readonly organizations?: boolean
  /** The one organization that the page is for. */
  readonly organizationId?: string
}

interface ProviderInput {
  readonly type: OAuthProvider
  /** Only of Google. `config/one-tap.ts` says why it does not show. */
  readonly one_tap?: boolean
  readonly position?: Mode
}

/** A checked configuration. Options of the seed that nobody set are undefined, and no call sends them. */
export interface Config {
  /** In the order of the screen, each once. */
  readonly products: readonly Product[]
  readonly tabs: boolean
  readonly link: {
    readonly loginUrl: string | undefined
    readonly signupUrl: string | undefined
    readonly loginMinutes: number
    readonly signupMinutes: number
    /** Accepted and never sent, as the provider's own widget does. */
    readonly isPending: boolean
    readonly loginTemplate: string | undefined
    readonly signupTemplate: string | undefined
    readonly locale: string | undefined
    readonly offersCode: boolean
  }
  readonly otp: {
    readonly methods: readonly OtpMethod[]
    readonly minutes: number
    readonly loginTemplate: string | undefined
    readonly signupTemplate: string | undefined
    readonly locale: string | undefined
  }
  readonly oauth: {
    readonly providers: readonly OAuthProvider[]
    /** Null if the page does not want One Tap. */
    readonly oneTap: { readonly position: Mode } | null
    readonly loginUrl: string | undefined
    readonly signupUrl: string | undefined
  }
  readonly password: {
    readonly loginUrl: string | undefined
    readonly resetUrl: string | undefined
    readonly resetMinutes: number
    readonly locale: string | undefined
  }
  readonly passkeyDomain: string | undefined
  readonly mfaMethods: readonly MfaMethod[]
  readonly sessionMinutes: number
  readonly isIdp: boolean
  readonly hasOrganizations: boolean
  readonly organizationId: string | undefined
}

export interface Presentation {
  readonly mode: Mode
  readonly theme: Theme
  readonly logo: { readonly url: string; readonly alt: string } | null
  readonly hasHeader: boolean
}

/** What a page may pass as `presentation`. */
export interface PresentationInput {
  readonly mode?: Mode
  readonly theme?: Theme
  readonly logo?: { readonly url: string; readonly alt?: string } | null
  readonly hideHeaderText?: boolean
}

/** Checks a configuration. @throws UsageError with one sentence for a developer */
export function readConfig(input: ConfigInput = {}): Config {
  const products = unique(names('products', input.products ?? ['emailMagicLinks'], PRODUCTS))
  const {
    emailMagicLinksOptions: link = {},
    otpOptions: otp = {},
    oauthOptions: oauth = {},
    passwordOptions: password = {},
  } = input
  const methods = unique(names('otpOptions.methods', otp.methods ?? [], OTP_METHODS))
  const listed = list('oauthOptions.providers', oauth.providers ?? []).map(provider =>
    typeof provider === 'object' && provider !== null
      ? (provider as ProviderInput)
      : { type: provider as OAuthProvider },
  )
  const providers = listed.map(({ type }) => type)
  const google = listed.find(({ type }) => type === 'google')
  const config: Config = {
    products,
    tabs: flag('tabs', input.tabs, true),
    link: {
      loginUrl: text('emailMagicLinksOptions.loginRedirectURL', link.loginRedirectURL),
      signupUrl: text('emailMagicLinksOptions.signupRedirectURL', link.signupRedirectURL),
      loginMinutes: number('emailMagicLinksOptions.loginExpirationMinutes', link.loginExpirationMinutes, 30),
      signupMinutes: number(
        'emailMagicLinksOptions.signupExpirationMinutes',
        link.signupExpirationMinutes,
        30,
      ),
      isPending: flag('emailMagicLinksOptions.createUserAsPending', link.createUserAsPending, false),
      loginTemplate: text('emailMagicLinksOptions.loginTemplateId', link.loginTemplateId),
      signupTemplate: text('emailMagicLinksOptions.signupTemplateId', link.signupTemplateId),
      locale: text('emailMagicLinksOptions.locale', link.locale),
      offersCode: flag('emailMagicLinksOptions.offersCode', link.offersCode, false),
    },
    otp: {
      methods,
      minutes: number('otpOptions.expirationMinutes', otp.expirationMinutes, 5),
      loginTemplate: text('otpOptions.loginTemplateId', otp.loginTemplateId),
      signupTemplate: text('otpOptions.signupTemplateId', otp.signupTemplateId),
      locale: text('otpOptions.locale', otp.locale),
    },
    oauth: {
      providers: unique(
        names('oauthOptions.providers', providers, Object.keys(OAUTH_PROVIDERS) as OAuthProvider[]),
      ),
      oneTap: flag('oauthOptions.providers.one_tap', google?.one_tap, false)
        ? { position: oneOf('oauthOptions.providers.position', google?.position ?? 'floating', MODES) }
        : null,
      loginUrl: text('oauthOptions.loginRedirectURL', oauth.loginRedirectURL),
      signupUrl: text('oauthOptions.signupRedirectURL', oauth.signupRedirectURL),
    },
    password: {
      loginUrl: text('passwordOptions.loginRedirectURL', password.loginRedirectURL),
      resetUrl: text('passwordOptions.resetPasswordRedirectURL', password.resetPasswordRedirectURL),
      resetMinutes: number(
        'passwordOptions.resetPasswordExpirationMinutes',
        password.resetPasswordExpirationMinutes,
        30,
      ),
      locale: text('passwordOptions.locale', password.locale),
    },
    passkeyDomain: text('passkeyOptions.domain', input.passkeyOptions?.domain),
    mfaMethods: unique(names('mfaOptions.methods', input.mfaOptions?.methods ?? [], MFA_METHODS)),
    sessionMinutes: number(
      'sessionOptions.sessionDurationMinutes',
      input.sessionOptions?.sessionDurationMinutes,
      30,
    ),
    isIdp: flag('idp', input.idp, false),
    hasOrganizations: flag('organizations', input.organizations, false),
    organizationId: text('organizationId', input.organizationId),
  }
  checkTogether(config)
  return config
}

/** Checks how the widget is shown. @throws UsageError with one sentence for a developer */
export function readPresentation(input: PresentationInput = {}): Presentation {
  const { logo = null } = input
  return {
    mode: oneOf('presentation.mode', input.mode ?? 'embedded', MODES),
    theme: oneOf('presentation.theme', input.theme ?? 'auto', THEMES),
    logo: logo && {
      url: text('presentation.logo.url', logo.url) ?? '',
      alt: text('presentation.logo.alt', logo.alt) ?? '',
    },
    hasHeader: !flag('presentation.hideHeaderText', input.hideHeaderText, false),
  }
}

/** Refuses products that cannot be offered together, or that lack what they need. */
function checkTogether({ products, otp, oauth }: Config): void {
  const has = (product: Product) => products.includes(product)
  if (products.length === 0) throw new UsageError('products must name at least one product.')
  if (has('passkeys') && products.length === 1) {
    throw new UsageError('passkeys cannot be the only product: a new account needs another way to sign in.')
  }
  if (has('otp') && otp.methods.length === 0) {
    throw new UsageError('otpOptions.methods must name at least one of sms, whatsapp and email.')
  }
  if (has('oauth') && oauth.providers.length === 0) {
    throw new UsageError('oauthOptions.providers must name at least one provider.')
  }
  if (has('emailMagicLinks') && has('otp') && otp.methods.includes('email')) {
    throw new UsageError(
      'emailMagicLinks and the otp method email cannot be used together: both send to the same address.',
    )
  }
}

function list(field: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new UsageError(`${field} must be an array of strings.`)
  return value
}

function names<Name extends string>(field: string, value: unknown, known: readonly Name[]): readonly Name[] {
  const items = list(field, value)
  if (items.some(item => typeof item !== 'string')) {
    throw new UsageError(`${field} must be an array of strings.`)
  }
  return items.map(item => oneOf(field, item as Name, known))
}

function oneOf<Name extends string>(field: string, value: Name, known: readonly Name[]): Name {
  if (known.includes(value)) return value
  throw new UsageError(`${field} does not know ${JSON.stringify(value)}. It knows ${known.join(', ')}.`)
}

function number(field: string, value: unknown, fallback: number): number {
  if (value === undefined) return fallback
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new UsageError(`${field} must be a number.`)
  return value
}

function flag(field: string, value: unknown, fallback: boolean): boolean {
  if (value === undefined) return fallback
  if (typeof value !== 'boolean') throw new UsageError(`${field} must be a boolean.`)
  return value
}

function text(field: string, value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw new UsageError(`${field} must be a string.`)
  return value
}

function unique<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Set(items)]
}
