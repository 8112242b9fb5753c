/** Ways to sign in that a page can offer. */
export const PRODUCTS = ['emailMagicLinks', 'oauth', 'otp', 'crypto', 'passwords', 'passkeys'] as const
export type Product = (typeof PRODUCTS)[number]

export const OTP_METHODS = ['sms', 'whatsapp', 'email'] as const

/** Providers of the protocol, with the names that people know. */
export const OAUTH_PROVIDERS = {
  google: 'Google',
  microsoft: 'Microsoft',
  apple: 'Apple',
  github: 'GitHub',
  gitlab: 'GitLab',
  facebook: 'Facebook',
  discord: 'Discord',
  salesforce: 'Salesforce',
  slack: 'Slack',
  amazon: 'Amazon',
  bitbucket: 'Bitbucket',
  linkedin: 'LinkedIn',
  coinbase: 'Coinbase',
  twitch: 'Twitch',
  twitter: 'Twitter',
  tiktok: 'TikTok',
  snapchat: 'Snapchat',
  figma: 'Figma',
  yahoo: 'Yahoo',
} as const
export type OAuthProvider = keyof typeof OAUTH_PROVIDERS

/** Wallets that have a button. The last two are for all others of their kind. */
export const WALLETS = [
  'Phantom',
  'Vessel',
  'Binance',
  'Coinbase',
  'Metamask',
  'Other Ethereum Wallet',
  'Other Solana Wallet',
] as const
export type Wallet = (typeof WALLETS)[number]

/** Second factors that the widget can set up after a sign-in. */
export const MFA_METHODS = ['totp', 'smsOtp'] as const
export type MfaMethod = (typeof MFA_METHODS)[number]

export const MODES = [
  'embedded',
  'floating',
  'embeddedOnly',
  'floatingOrEmbedded',
  'forceLegacyEmbedded',
] as const
export type Mode = (typeof MODES)[number]

export const THEMES = ['auto', 'dark', 'light'] as const
export type Theme = (typeof THEMES)[number]
