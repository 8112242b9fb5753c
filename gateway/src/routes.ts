import { addresses } from '@lapwing/contracts/bind'

/** The services behind the gateway. */
export type UpstreamName = 'preview' | 'account' | 'identity' | 'upload' | 'ingest' | 'leaderboard'

/**
 * Access level of a route. `public`: no session needed. `signed-in`: 401 without a session. `optional`: anonymous
 * clients pass; a valid session is forwarded.
 */
export type Access = 'public' | 'signed-in' | 'optional'

/**
 * Which of two protocols a row speaks.
 *
 * - `product`: Lapwing's own, under `/api`, with and without its version (D-2). The gateway says who
 *   calls; the client's credentials and cookies go no further, and no service sets one (D-14).
 * - `sign-in`: the identity provider's, at its own addresses. identity reads the credentials itself,
 *   and refusals, the gateway's too, have the provider's shape.
 */
export type Protocol = 'product' | 'sign-in'

export interface Route {
  /** The contract's path. With `/*` at its end the row takes everything below it that no other row takes. */
  readonly prefix: string
  readonly upstream: UpstreamName
  readonly protocol: Protocol
  readonly access: Access
  readonly methods: readonly Method[]
  /** Bytes. Counted while they pass, so that a body without a stated length is held to it too. */
  readonly bodyLimit: number
  /**
   * `whole`: the gateway reads the body before the request takes a slot, so that a client that sends slowly
   * holds none. `stream`: the body passes through while the request holds its slot.
   */
  readonly body: 'whole' | 'stream'
  /** Milliseconds the upstream may take to begin its answer, and between two pieces of it. */
  readonly timeoutMs: number
  /** Requests under way at once; more are told to come back. */
  readonly concurrency: number
  /**
   * How many of them one client may hold: a person, or an address on rows that are open to all. On rows for
   * signed-in people an address may hold twice as many. Without it a client may hold them all.
   */
  readonly share?: number
  readonly rateLimit: RateLimit
}

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/**
 * Requests in one window: of a person where the row is for those who are signed in and this is one
 * of them, else of an address, IPv6 addresses by their /64.
 */
export interface RateLimit {
  /** Rows that name the same budget share it. */
  readonly budget: string
  readonly max: number
  readonly windowMs: number
  /** What each gateway allows while it cannot count together with the others; `max` if left out. */
  readonly maxAlone?: number
}

const MINUTE_MS = 60_000
const perMinute = (budget: string, max: number): RateLimit => ({ budget, max, windowMs: MINUTE_MS })

/** For what guessing or spamming would use: tighter, not open, while gateways count apart. */
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
const leaderboard = { ...account, upstream: 'leaderboard', methods: ['GET'] } as const

const identity = {
  upstream: 'identity',
  protocol: 'sign-in',
  // identity reads the session itself.
  access: 'public',
  // A password of any length is answered with identity's own sentence, up to one nobody types.
  bodyLimit: 512 * 1024,
  body: 'whole',
  // A sign-in may wait for its hash, and a social one for the provider.
  timeoutMs: 20_000,
  concurrency: 256,
  share: 32,
} as const

const signIn = guarded('sign-in', 30) // D-17
const sendMail = guarded('mail', 20)

/** Every way into Lapwing's services. A test holds it against the contracts, both ways. */
export const routes: readonly Route[] = [
  {
    prefix: '/v1/preview',
    upstream: 'preview',
    protocol: 'product',
    access: 'public',
    methods: ['POST'],
    // The largest file (D-17) and a mebibyte for the form around it. The service measures the file
    // itself, and its refusal is the one a driver sees.
    bodyLimit: 100 * 1024 * 1024 + 1024 * 1024,
    body: 'stream',
    // Longer than the service gives itself to read a file, so that its own answer is the one given.
    timeoutMs: 75_000,
    concurrency: 64,
    // Half, as in the service itself.
    share: 32,
    rateLimit: perMinute('preview', 20), // D-17
  },

  { ...account, prefix: '/v1/auth/username', methods: ['GET'], rateLimit: perMinute('account', 120) },
  { ...account, prefix: '/v1/auth/username', methods: ['POST'], rateLimit: perMinute('username', 20) },
  {
    ...account,
    prefix: '/v1/auth/username/check/*',
    // A name one has oneself is not "taken"; who has no session, or a bad one, is anybody.
    access: 'optional',
    methods: ['GET'],
    rateLimit: perMinute('username-check', 60), // D-17
  },
  { ...account, prefix: '/v1/auth/consent', methods: ['GET'], rateLimit: perMinute('account', 120) },
  { ...account, prefix: '/v1/auth/consent', methods: ['POST'], rateLimit: perMinute('consent', 30) },
  // The service asks the payment provider.
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
    // A person sends at most 60 a minute, and each of them may wait for a minute.
    share: 256,
    rateLimit: perMinute('ingest', 60),
  },
  // Asked every other second while a file is judged.
  { ...ingest, prefix: '/laps/ingests/*', methods: ['GET'], rateLimit: perMinute('ingest-state', 120) },
  { ...ingest, prefix: '/laps', methods: ['GET'], rateLimit: perMinute('laps', 120) },
  // Read before and after each file that is saved.
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
  // A lap as a reference, its owner's changes of it.
  { ...ingest, prefix: '/laps/*', methods: ['GET', 'PATCH', 'DELETE'], rateLimit: perMinute('lap', 120) },
  {
    ...ingest,
    prefix: '/tracks/*',
    access: 'public',
    methods: ['GET'],
    rateLimit: perMinute('tracks', 120),
  },
  { ...leaderboard, prefix: '/leaderboards', rateLimit: perMinute('boards', 300) },
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
      ['/sdk/v1/passwords', guarded('sign-up', 20)],
      ['/sdk/v1/users/search', guarded('user-search', 30)],
      ['/sdk/v1/passwords/strength_check', perMinute('password-strength', 120)],
      ['/sdk/v1/passwords/email/reset/start', sendMail],
      ['/sdk/v1/magic_links/email/login_or_create', sendMail],
      ['/sdk/v1/magic_links/email/send/primary', sendMail],
      ['/sdk/v1/magic_links/email/send/secondary', sendMail],
      ['/sdk/v1/otps/email/login_or_create', sendMail],
      ['/sdk/v1/otps/email/send/primary', sendMail],
      ['/sdk/v1/otps/email/send/secondary', sendMail],
    ] as const
  ).map(([prefix, rateLimit]) => ({ ...identity, prefix, methods: ['POST'] as const, rateLimit })),
  { ...identity, prefix: '/v1/public/oauth/*', methods: ['GET', 'POST'], rateLimit: guarded('oauth', 60) },
  { ...identity, prefix: '/v1/sessions/jwks/*', methods: ['GET'], rateLimit: perMinute('keys', 120) },
  { ...identity, prefix: '/.well-known/jwks.json', methods: ['GET'], rateLimit: perMinute('keys', 120) },
]

/** The addresses a row is served at, such as `/api/v1/preview` and `/api/preview`. */
export function routeAddresses({ prefix, protocol }: Route): readonly string[] {
  return protocol === 'sign-in' ? [prefix] : addresses(prefix).map(address => `/api${address}`)
}

/** Whether a row is served at an address of the table. */
export function covers(route: Route, address: string): boolean {
  return routeAddresses(route).some(
    served => served === address || (served.endsWith('/*') && address.startsWith(served.slice(0, -1))),
  )
}
