import type { AppScope } from '@lapwing/auth'
import { addresses } from '@lapwing/contracts/bind'

/** The services behind the gateway. */
export type UpstreamName = 'preview' | 'account' | 'identity' | 'upload' | 'ingest' | 'leaderboard'

/**
 * Access level of a route. `public`: no session needed. `signed-in`: 401 without a session. `optional`:
 * anonymous clients pass; a valid session is forwarded.
 */
export type Access = 'public' | 'signed-in' | 'optional'

/**
 * Protocol of a route.
 *
 * - `product`: Lapwing's own, under `/api`, with and without its version (D-2). The gateway passes the
 *   principal on. It removes the client's credentials and cookies, and no service sets a cookie (D-14).
 * - `sign-in`: the identity provider's, at its own addresses. identity reads the credentials itself. Errors,
 *   also the gateway's own, have the provider's shape, and below `/oauth2` the shape of OAuth.
 */
export type Protocol = 'product' | 'sign-in'

export interface Route {
  /** The contract's path. `/*` at its end matches every path below it that no other route matches. */
  readonly prefix: string
  readonly upstream: UpstreamName
  readonly protocol: Protocol
  readonly access: Access
  /** What a connected app needs to call a `signed-in` route. Left out: no app may, only the person's own session. */
  readonly scope?: AppScope
  readonly methods: readonly Method[]
  /** Bytes. Counted while the body passes, so that the limit holds for a body without a stated length too. */
  readonly bodyLimit: number
  /**
   * `whole`: the gateway reads the body before the request takes a slot. A client that sends slowly then
   * holds none. `stream`: the body passes through while the request holds its slot.
   */
  readonly body: 'whole' | 'stream'
  /** Milliseconds until the upstream must begin its answer, and between two pieces of it. */
  readonly timeoutMs: number
  /** Requests in progress at the same time. Further ones get 503 with Retry-After. */
  readonly concurrency: number
  /**
   * How many of these requests one account may hold. A network may hold twice as many on `signed-in` routes,
   * and as many on all others. If left out, a client may hold them all.
   */
  readonly share?: number
  readonly rateLimit: RateLimit
}

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** Requests allowed in one window: by account on `signed-in` routes with a session, else by network. */
export interface RateLimit {
  /** Routes that name the same budget share it. */
  readonly budget: string
  readonly max: number
  readonly windowMs: number
  /** Requests that each gateway allows while it cannot reach Redis; `max` if left out. */
  readonly maxAlone?: number
  /**
   * Limit of requests with the cookie of a browser that signed in before, instead of the limit of their
   * network. Each group of a network's browsers has it (`browser-group.ts`), also without Redis.
   */
  readonly browsers?: Pick<RateLimit, 'max' | 'windowMs'>
}

const MINUTE_MS = 60_000
const perMinute = (budget: string, max: number): RateLimit => ({ budget, max, windowMs: MINUTE_MS })

/**
 * Lets browsers that signed in before reach identity, however often others on their network try. identity
 * knows whether the cookie is real, and counts its requests itself.
 */
const ownBrowsers = { max: 20, windowMs: 10_000 } as const

/** A limit for routes that guessing or spamming would use. It is tighter while gateways count apart. */
const guarded = (budget: string, max: number): RateLimit => ({
  ...perMinute(budget, max),
  maxAlone: Math.ceil(max / 3),
})

const account = {
  upstream: 'account',
  protocol: 'product',
  access: 'signed-in',
  bodyLimit: 16 * 1024,
  body: 'whole',
  timeoutMs: 10_000,
  concurrency: 128,
  share: 16,
} as const

const upload = { ...account, upstream: 'upload', timeoutMs: 20_000 } as const
const ingest = { ...account, upstream: 'ingest' } as const
const leaderboard = {
  ...account,
  upstream: 'leaderboard',
  methods: ['GET'],
  scope: 'leaderboard:read',
} as const

const identity = {
  upstream: 'identity',
  protocol: 'sign-in',
  // identity reads the session itself.
  access: 'public',
  // Large enough for any password that a person types: identity's own message then rejects one that is too
  // long.
  bodyLimit: 512 * 1024,
  body: 'whole',
  // A sign-in waits for its password hash, and a social sign-in for the provider.
  timeoutMs: 20_000,
  concurrency: 256,
  share: 32,
} as const

const signIn = { ...guarded('sign-in', 30), browsers: ownBrowsers } // D-17
const sendMail = { ...guarded('mail', 20), browsers: ownBrowsers }
// Each text costs money.
const sendText = { ...guarded('text', 10), browsers: ownBrowsers }

const startWallet = { ...guarded('wallet', 30), browsers: ownBrowsers }

/** All public routes of Lapwing's services. A test compares the table with the contracts, both ways. */
export const routes: readonly Route[] = [
  {
    prefix: '/v1/preview',
    upstream: 'preview',
    protocol: 'product',
    access: 'public',
    methods: ['POST'],
    // The largest file (D-17) and a mebibyte for the form around it. The service measures the file itself, so
    // that a driver sees the service's own error.
    bodyLimit: 100 * 1024 * 1024 + 1024 * 1024,
    body: 'stream',
    // Longer than the service's own deadline for a file, so that the driver gets the service's answer.
    timeoutMs: 75_000,
    concurrency: 64,
    // Half, the same as in the service.
    share: 32,
    rateLimit: perMinute('preview', 20), // D-17
  },

  { ...account, prefix: '/v1/auth/username', methods: ['GET'], rateLimit: perMinute('account', 120) },
  { ...account, prefix: '/v1/auth/username', methods: ['POST'], rateLimit: perMinute('username', 20) },
  {
    ...account,
    prefix: '/v1/auth/username/check/*',
    // The session shows which name is the driver's own: that one is not "taken".
    access: 'optional',
    methods: ['GET'],
    rateLimit: perMinute('username-check', 60), // D-17
  },
  { ...account, prefix: '/v1/auth/consent', methods: ['GET'], rateLimit: perMinute('account', 120) },
  { ...account, prefix: '/v1/auth/consent', methods: ['POST'], rateLimit: perMinute('consent', 30) },
  // The service waits for the payment provider.
  {
    ...account,
    prefix: '/v1/auth/account',
    methods: ['DELETE'],
    timeoutMs: 30_000,
    rateLimit: perMinute('delete-account', 5),
  },
  ...(['/v1/billing/checkout', '/v1/billing/portal'] as const).map(prefix => ({
    ...account,
    prefix,
    methods: ['POST'] as const,
    timeoutMs: 30_000,
    rateLimit: perMinute('billing', 10),
  })),

  { ...upload, prefix: '/v1/upload/init', methods: ['POST'], rateLimit: perMinute('upload', 30) }, // D-17
  { ...upload, prefix: '/v1/upload/complete', methods: ['POST'], rateLimit: perMinute('upload-end', 60) },
  {
    ...ingest,
    prefix: '/laps/ingest-best-from-session',
    methods: ['POST'],
    // The service itself waits up to 55 s for the outcome.
    timeoutMs: 70_000,
    concurrency: 1024,
    // An account sends at most 60 a minute, and each of them may wait for a minute.
    share: 256,
    rateLimit: perMinute('ingest', 60),
  },
  // The page polls every two seconds while a file is judged.
  { ...ingest, prefix: '/laps/ingests/*', methods: ['GET'], rateLimit: perMinute('ingest-state', 120) },
  {
    ...ingest,
    prefix: '/laps',
    methods: ['GET'],
    scope: 'laps:read',
    rateLimit: perMinute('laps', 120),
  },
  // The page reads them before and after each file that it saves.
  {
    ...ingest,
    prefix: '/laps/driver-numbers',
    methods: ['GET'],
    rateLimit: perMinute('driver-numbers', 120),
  },
  {
    ...ingest,
    prefix: '/laps/driver-numbers/*',
    methods: ['DELETE'],
    rateLimit: perMinute('undo-number', 30),
  },
  // Reads a lap as a reference.
  {
    ...ingest,
    prefix: '/laps/*',
    methods: ['GET'],
    scope: 'laps:read',
    rateLimit: perMinute('lap', 120),
  },
  // Changes or deletes one's own.
  { ...ingest, prefix: '/laps/*', methods: ['PATCH', 'DELETE'], rateLimit: perMinute('lap', 120) },
  {
    ...ingest,
    prefix: '/tracks/*',
    access: 'public',
    methods: ['GET'],
    rateLimit: perMinute('tracks', 120),
  },
  { ...leaderboard, prefix: '/leaderboards', rateLimit: perMinute('boards', 300) },
  {
    ...account,
    upstream: 'leaderboard',
    prefix: '/leaderboards/reports',
    methods: ['POST'],
    bodyLimit: 1024,
    rateLimit: perMinute('reports', 10),
  },
  { ...leaderboard, prefix: '/leaderboards/*', rateLimit: perMinute('boards', 300) },

  {
    ...identity,
    prefix: '/sdk/v1/*',
    methods: ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
    rateLimit: perMinute('identity', 300),
  },
  ...(
    [
      ['/sdk/v1/passwords/authenticate', signIn],
      ['/sdk/v1/passwords/existing_password/reset', signIn],
      ['/sdk/v1/passwords/session/reset', signIn],
      ['/sdk/v1/passwords/email/reset', signIn],
      ['/sdk/v1/magic_links/authenticate', signIn],
      ['/sdk/v1/otps/authenticate', signIn],
      ['/sdk/v1/oauth/authenticate', signIn],
      ['/sdk/v1/sessions/attest', signIn],
      ['/sdk/v1/sso/authenticate', signIn],
      ['/sdk/v1/sessions/exchange_access_token', signIn],
      ['/sdk/v1/impersonation/authenticate', signIn],
      ['/sdk/v1/totps/authenticate', signIn],
      ['/sdk/v1/totps/recover', signIn],
      ['/sdk/v1/webauthn/authenticate', signIn],
      // The page asks for one whenever its dialog opens, to offer passkeys in the field.
      ['/sdk/v1/webauthn/authenticate/start/primary', guarded('passkey', 60)],
      ['/sdk/v1/webauthn/authenticate/start/secondary', guarded('passkey', 60)],
      ['/sdk/v1/crypto_wallets/authenticate', signIn],
      ['/sdk/v1/crypto_wallets/authenticate/start/primary', startWallet],
      ['/sdk/v1/crypto_wallets/authenticate/start/secondary', startWallet],
      ['/sdk/v1/idp/oauth/authorize/start', perMinute('authorize', 60)],
      ['/sdk/v1/idp/oauth/authorize/submit', perMinute('authorize', 60)],
      ['/sdk/v1/oauth/logout/start', perMinute('authorize', 60)],
      ['/sdk/v1/webauthn/register/start', guarded('factor', 30)],
      ['/sdk/v1/webauthn/register', guarded('factor', 30)],
      ['/sdk/v1/oauth/attach', guarded('factor', 30)],
      ['/sdk/v1/totps', guarded('factor', 30)],
      ['/sdk/v1/totps/recovery_codes', guarded('factor', 30)],
      ['/sdk/v1/passwords', guarded('sign-up', 20)],
      ['/sdk/v1/users/search', guarded('user-search', 30)],
      ['/sdk/v1/b2b/organizations/members/search', guarded('user-search', 30)],
      ['/sdk/v1/organizations/discover', guarded('organization', 60)],
      ['/sdk/v1/passwords/strength_check', perMinute('password-strength', 120)],
      ['/sdk/v1/passwords/email/reset/start', sendMail],
      ['/sdk/v1/magic_links/email/login_or_create', sendMail],
      ['/sdk/v1/magic_links/email/send/primary', sendMail],
      ['/sdk/v1/magic_links/email/send/secondary', sendMail],
      ['/sdk/v1/otps/email/login_or_create', sendMail],
      ['/sdk/v1/otps/email/send/primary', sendMail],
      ['/sdk/v1/otps/email/send/secondary', sendMail],
      ['/sdk/v1/otps/sms/login_or_create', sendText],
      ['/sdk/v1/otps/sms/send/primary', sendText],
      ['/sdk/v1/otps/sms/send/secondary', sendText],
      ['/sdk/v1/otps/whatsapp/login_or_create', sendText],
      ['/sdk/v1/otps/whatsapp/send/primary', sendText],
      ['/sdk/v1/otps/whatsapp/send/secondary', sendText],
    ] as const
  ).map(([prefix, rateLimit]) => ({ ...identity, prefix, methods: ['POST'] as const, rateLimit })),
  { ...identity, prefix: '/v1/public/oauth/*', methods: ['GET', 'POST'], rateLimit: guarded('oauth', 60) },
  { ...identity, prefix: '/v1/public/sso/*', methods: ['GET'], rateLimit: guarded('oauth', 60) },
  { ...identity, prefix: '/v1/sessions/jwks/*', methods: ['GET'], rateLimit: perMinute('keys', 120) },
  ...(['/oauth2/token', '/oauth2/revoke'] as const).map(prefix => ({
    ...identity,
    prefix,
    methods: ['POST', 'OPTIONS'] as const,
    bodyLimit: 32 * 1024,
    // One server can serve many people.
    rateLimit: perMinute('app', 600),
  })),
  {
    ...identity,
    prefix: '/oauth2/userinfo',
    methods: ['GET', 'POST', 'OPTIONS'],
    bodyLimit: 1024,
    rateLimit: perMinute('app', 600),
  },
  {
    ...identity,
    prefix: '/.well-known/openid-configuration',
    methods: ['GET', 'OPTIONS'],
    rateLimit: perMinute('keys', 120),
  },
  { ...identity, prefix: '/.well-known/jwks.json', methods: ['GET'], rateLimit: perMinute('keys', 120) },
]

/** Lists the addresses of a route, such as `/api/v1/preview` and `/api/preview`. */
export function routeAddresses({ prefix, protocol }: Route): readonly string[] {
  return protocol === 'sign-in' ? [prefix] : addresses(prefix).map(address => `/api${address}`)
}

/** Returns whether a route serves an address of the table. */
export function covers(route: Route, address: string): boolean {
  return routeAddresses(route).some(
    served => served === address || (served.endsWith('/*') && address.startsWith(served.slice(0, -1))),
  )
}
