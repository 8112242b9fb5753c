import type { ConfigInput, PresentationInput } from './config/config.ts'

/** Attributes of `<lapwing-login>`. */
export const ATTRIBUTES = [
  'api',
  'public-token',
  'locale',
  'products',
  'tabs',
  'otp-methods',
  'providers',
  'mfa-methods',
  'login-redirect-url',
  'signup-redirect-url',
  'reset-redirect-url',
  'session-minutes',
  'passkey-domain',
  'mode',
  'theme',
  'logo',
  'logo-alt',
  'header',
  'email-choice',
  'idp',
  'organizations',
  'organization',
] as const
type Attribute = (typeof ATTRIBUTES)[number]

/**
 * Returns the configuration of attributes. Lists are words. `tabs` and `header` can be "off", `email-choice`,
 * `idp` and `organizations` "on". Values are checked later.
 *
 * @param get returns the value of an attribute; null without it
 */
export function readAttributes(get: (name: Attribute) => string | null): {
  readonly config: ConfigInput
  readonly presentation: PresentationInput
} {
  const words = (name: Attribute) =>
    get(name)
      ?.split(/[\s,]+/)
      .filter(word => word !== '')
  const url = (name: Attribute) => get(name) || undefined
  const loginRedirectURL = url('login-redirect-url')
  const redirects = { loginRedirectURL, signupRedirectURL: url('signup-redirect-url') ?? loginRedirectURL }
  const minutes = get('session-minutes')
  const logo = get('logo')
  const config = {
    products: words('products'),
    tabs: get('tabs') === null ? undefined : get('tabs') !== 'off',
    emailMagicLinksOptions: { ...redirects, offersCode: get('email-choice') === 'on' || undefined },
    otpOptions: { methods: words('otp-methods') },
    oauthOptions: { ...redirects, providers: words('providers') },
    passwordOptions: { loginRedirectURL, resetPasswordRedirectURL: url('reset-redirect-url') },
    passkeyOptions: { domain: url('passkey-domain') },
    mfaOptions: { methods: words('mfa-methods') },
    idp: get('idp') === 'on' || undefined,
    organizations: get('organizations') === 'on' || undefined,
    organizationId: url('organization'),
    sessionOptions: { sessionDurationMinutes: minutes === null ? undefined : Number(minutes) },
  }
  const presentation = {
    mode: url('mode'),
    theme: url('theme'),
    logo: logo ? { url: logo, alt: get('logo-alt') ?? '' } : undefined,
    hideHeaderText: get('header') === 'off' || undefined,
  }
  return { config: config as ConfigInput, presentation: presentation as PresentationInput }
}

/** Merges what `render` passed over what the attributes say, option by option. */
export function mergeConfig(attributes: ConfigInput, rendered: ConfigInput = {}): ConfigInput {
  const merged: Record<string, unknown> = { ...attributes }
  for (const [name, value] of Object.entries(rendered)) {
    const before = merged[name]
    const isOptions = typeof value === 'object' && value !== null && !Array.isArray(value)
    merged[name] = isOptions ? { ...(before as object), ...value } : value
  }
  return merged as ConfigInput
}
