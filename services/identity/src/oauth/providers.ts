/** Claims of OpenID Connect (Core 1.0, section 5.1), which many providers use. */
const STANDARD_CLAIMS = {
  subject: 'sub',
  email: 'email',
  verified: 'email_verified',
  picture: 'picture',
  locale: 'locale',
} as const satisfies ClaimMap

/**
 * Every supported provider and all differences between them, from their public documentation. A provider
 * is offered if an operator configures its credentials (`config.ts`).
 *
 * An address counts as confirmed (`verified`) only if the provider confirms it for this person. Otherwise
 * the address is not shown and joins no account.
 */
export const providers = {
  google: {
    title: 'Google',
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    profileUrl: 'https://openidconnect.googleapis.com/v1/userinfo',
    issuer: 'https://accounts.google.com',
    keysUrl: 'https://www.googleapis.com/oauth2/v3/certs',
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    claims: STANDARD_CLAIMS,
  },
  microsoft: {
    title: 'Microsoft',
    authorizeUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    // The ID token has all fields.
    profileUrl: null,
    // Each tenant has an issuer of its own.
    issuer: 'https://login.microsoftonline.com/{tid}/v2.0',
    keysUrl: 'https://login.microsoftonline.com/common/discovery/v2.0/keys',
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    // A tenant's administrator can write any address into `email`. The optional claim `xms_edov` confirms
    // that the tenant owns its domain. The operator must request that claim.
    claims: { subject: 'sub', email: 'email', verified: 'xms_edov' },
  },
  apple: {
    title: 'Apple',
    authorizeUrl: 'https://appleid.apple.com/auth/authorize',
    tokenUrl: 'https://appleid.apple.com/auth/token',
    profileUrl: null,
    issuer: 'https://appleid.apple.com',
    keysUrl: 'https://appleid.apple.com/auth/keys',
    scopes: ['email'],
    // With a scope Apple sends its answer as a form.
    authorizeParams: { response_mode: 'form_post' },
    pkce: false,
    clientAuth: 'apple',
    claims: { subject: 'sub', email: 'email', verified: 'email_verified' },
  },
  github: {
    title: 'GitHub',
    authorizeUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    profileUrl: 'https://api.github.com/user',
    scopes: ['read:user', 'user:email'],
    pkce: true,
    claims: { subject: 'id', picture: 'avatar_url' },
    // The profile's address is the public one, confirmed or not.
    emails: {
      url: 'https://api.github.com/user/emails',
      list: '',
      email: 'email',
      primary: 'primary',
      verified: 'verified',
    },
  },
  gitlab: {
    title: 'GitLab',
    authorizeUrl: 'https://gitlab.com/oauth/authorize',
    tokenUrl: 'https://gitlab.com/oauth/token',
    profileUrl: 'https://gitlab.com/oauth/userinfo',
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    claims: { subject: 'sub', email: 'email', verified: 'email_verified', picture: 'picture' },
  },
  facebook: {
    title: 'Facebook',
    authorizeUrl: 'https://www.facebook.com/v23.0/dialog/oauth',
    tokenUrl: 'https://graph.facebook.com/v23.0/oauth/access_token',
    profileUrl: 'https://graph.facebook.com/v23.0/me?fields=id,email,picture',
    scopes: ['public_profile', 'email'],
    scopeSeparator: ',',
    pkce: false,
    claims: { subject: 'id', email: 'email', picture: 'picture.data.url' },
  },
  discord: {
    title: 'Discord',
    authorizeUrl: 'https://discord.com/oauth2/authorize',
    tokenUrl: 'https://discord.com/api/oauth2/token',
    profileUrl: 'https://discord.com/api/users/@me',
    scopes: ['identify', 'email'],
    pkce: true,
    claims: {
      subject: 'id',
      email: 'email',
      verified: 'verified',
      picture: ({ id, avatar }) =>
        areTexts(id, avatar) && `https://cdn.discordapp.com/avatars/${id}/${avatar}.png`,
      locale: 'locale',
    },
  },
  salesforce: {
    title: 'Salesforce',
    authorizeUrl: 'https://login.salesforce.com/services/oauth2/authorize',
    tokenUrl: 'https://login.salesforce.com/services/oauth2/token',
    profileUrl: 'https://login.salesforce.com/services/oauth2/userinfo',
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    claims: STANDARD_CLAIMS,
  },
  slack: {
    title: 'Slack',
    authorizeUrl: 'https://slack.com/openid/connect/authorize',
    tokenUrl: 'https://slack.com/api/openid.connect.token',
    profileUrl: 'https://slack.com/api/openid.connect.userInfo',
    scopes: ['openid', 'email', 'profile'],
    pkce: false,
    claims: {
      ...STANDARD_CLAIMS,
      // A person's id is unique within one workspace only.
      subject: ({ 'https://slack.com/team_id': team, sub }) => areTexts(team, sub) && `${team}.${sub}`,
    },
  },
  amazon: {
    title: 'Amazon',
    authorizeUrl: 'https://www.amazon.com/ap/oa',
    tokenUrl: 'https://api.amazon.com/auth/o2/token',
    profileUrl: 'https://api.amazon.com/user/profile',
    scopes: ['profile'],
    pkce: true,
    claims: { subject: 'user_id', email: 'email' },
  },
  bitbucket: {
    title: 'Bitbucket',
    authorizeUrl: 'https://bitbucket.org/site/oauth2/authorize',
    tokenUrl: 'https://bitbucket.org/site/oauth2/access_token',
    profileUrl: 'https://api.bitbucket.org/2.0/user',
    scopes: ['account', 'email'],
    pkce: false,
    clientAuth: 'basic',
    claims: { subject: 'uuid', picture: 'links.avatar.href' },
    emails: {
      url: 'https://api.bitbucket.org/2.0/user/emails',
      list: 'values',
      email: 'email',
      primary: 'is_primary',
      verified: 'is_confirmed',
    },
  },
  linkedin: {
    title: 'LinkedIn',
    authorizeUrl: 'https://www.linkedin.com/oauth/v2/authorization',
    tokenUrl: 'https://www.linkedin.com/oauth/v2/accessToken',
    profileUrl: 'https://api.linkedin.com/v2/userinfo',
    scopes: ['openid', 'profile', 'email'],
    pkce: false,
    claims: { ...STANDARD_CLAIMS, locale: 'locale.language' },
  },
  coinbase: {
    title: 'Coinbase',
    authorizeUrl: 'https://login.coinbase.com/oauth2/auth',
    tokenUrl: 'https://login.coinbase.com/oauth2/token',
    profileUrl: 'https://api.coinbase.com/v2/user',
    scopes: ['wallet:user:read', 'wallet:user:email'],
    scopeSeparator: ',',
    pkce: true,
    claims: { subject: 'data.id', email: 'data.email', picture: 'data.avatar_url' },
  },
  twitch: {
    title: 'Twitch',
    authorizeUrl: 'https://id.twitch.tv/oauth2/authorize',
    tokenUrl: 'https://id.twitch.tv/oauth2/token',
    profileUrl: 'https://api.twitch.tv/helix/users',
    profileClientHeader: 'client-id',
    scopes: ['user:read:email'],
    pkce: false,
    // The reference of "Get Users": the answer has only verified addresses.
    claims: {
      subject: 'data.0.id',
      email: 'data.0.email',
      verified: () => true,
      picture: 'data.0.profile_image_url',
    },
  },
  twitter: {
    title: 'X (Twitter)',
    authorizeUrl: 'https://x.com/i/oauth2/authorize',
    tokenUrl: 'https://api.x.com/2/oauth2/token',
    profileUrl: 'https://api.x.com/2/users/me?user.fields=profile_image_url',
    // Reading one's own profile needs both. It has no address.
    scopes: ['users.read', 'tweet.read'],
    pkce: true,
    clientAuth: 'basic',
    claims: { subject: 'data.id', picture: 'data.profile_image_url' },
  },
  tiktok: {
    title: 'TikTok',
    authorizeUrl: 'https://www.tiktok.com/v2/auth/authorize/',
    tokenUrl: 'https://open.tiktokapis.com/v2/oauth/token/',
    profileUrl: 'https://open.tiktokapis.com/v2/user/info/?fields=open_id,avatar_url',
    scopes: ['user.info.basic'],
    scopeSeparator: ',',
    // TikTok has PKCE for mobile and desktop clients only.
    pkce: false,
    clientIdName: 'client_key',
    claims: { subject: 'data.user.open_id', picture: 'data.user.avatar_url' },
  },
  snapchat: {
    title: 'Snapchat',
    authorizeUrl: 'https://accounts.snapchat.com/accounts/oauth2/auth',
    tokenUrl: 'https://accounts.snapchat.com/accounts/oauth2/token',
    profileUrl: 'https://kit.snapchat.com/v1/me?query=%7Bme%7BexternalId%20bitmoji%7Bavatar%7D%7D%7D',
    scopes: [
      'https://auth.snapchat.com/oauth2/api/user.external_id',
      'https://auth.snapchat.com/oauth2/api/user.bitmoji.avatar',
    ],
    pkce: false,
    claims: { subject: 'data.me.externalId', picture: 'data.me.bitmoji.avatar' },
  },
  figma: {
    title: 'Figma',
    authorizeUrl: 'https://www.figma.com/oauth',
    tokenUrl: 'https://api.figma.com/v1/oauth/token',
    profileUrl: 'https://api.figma.com/v1/me',
    scopes: ['current_user:read'],
    pkce: true,
    clientAuth: 'basic',
    claims: { subject: 'id', email: 'email', picture: 'img_url' },
  },
  yahoo: {
    title: 'Yahoo',
    authorizeUrl: 'https://api.login.yahoo.com/oauth2/request_auth',
    tokenUrl: 'https://api.login.yahoo.com/oauth2/get_token',
    profileUrl: 'https://api.login.yahoo.com/openid/v1/userinfo',
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    clientAuth: 'basic',
    claims: STANDARD_CLAIMS,
  },
} as const satisfies Readonly<Record<string, Provider>>

export type ProviderName = keyof typeof providers

export const providerNames = Object.keys(providers) as readonly ProviderName[]

function areTexts(...values: readonly unknown[]): boolean {
  return values.every(value => typeof value === 'string' && value !== '')
}

export interface Provider {
  /** Name shown to people. */
  readonly title: string
  readonly authorizeUrl: string
  readonly tokenUrl: string
  /** Null if the ID token has all fields. */
  readonly profileUrl: string | null
  /**
   * Expected issuer of the ID token; `{tid}` is replaced by the token's tenant. Not set for providers
   * without an ID token: their profile is read over TLS with the new access token instead.
   */
  readonly issuer?: string
  /** Address of the key set that verifies ID tokens; set if `issuer` is. */
  readonly keysUrl?: string
  /** Algorithms of its ID tokens; RS256 alone by default. */
  readonly idTokenAlgorithms?: readonly string[]
  readonly scopes: readonly string[]
  /** A space by default (RFC 6749). */
  readonly scopeSeparator?: string
  readonly authorizeParams?: Readonly<Record<string, string>>
  /** Whether the provider documents PKCE. Some refuse unknown parameters. */
  readonly pkce: boolean
  /**
   * How the client sends its secret: in the form by default, by HTTP Basic, or as a JWT that it signs for each
   * request (Apple). `encoded-basic` encodes id and secret first, as RFC 6749 requires.
   */
  readonly clientAuth?: 'basic' | 'encoded-basic' | 'apple'
  /** The provider's name of the parameter `client_id`, if it differs. */
  readonly clientIdName?: string
  /** Header of the profile request that must hold the client id. */
  readonly profileClientHeader?: string
  readonly claims: ClaimMap
  /** Where to read the addresses, if the profile does not show which one is confirmed. */
  readonly emails?: {
    readonly url: string
    /** Path to the list in the answer; empty for the answer itself. */
    readonly list: string
    readonly email: string
    readonly primary: string
    readonly verified: string
  }
}

/** Where to find each field in a profile: a path of keys separated by dots, or a function. */
export interface ClaimMap {
  /** Id that never changes and is never reused for another person. */
  readonly subject: Claim
  readonly email?: Claim
  /** Left out if the provider never confirms addresses. */
  readonly verified?: Claim
  readonly picture?: Claim
  readonly locale?: Claim
}

// biome-ignore lint/suspicious/noExplicitAny: a profile can have any shape; the fields that are read are checked.
export type Claim = string | ((profile: Readonly<Record<string, any>>) => unknown)
