import type { components } from '@lapwing/contracts/identity'

type Schemas = components['schemas']

/**
 * An in-memory identity provider for tests, with the part of `openapi/identity.yaml` that the page uses. It
 * checks no signatures, and its tokens are invalid anywhere else.
 */
export interface FakeIdentity {
  /** Answers a call below `/sdk/v1`. */
  handle(request: Request): Promise<Response>
  readonly calls: readonly FakeCall[]
  addUser(user: FakeUser): void
  /** Creates the token that a reset link or a provider's round trip would bring. */
  issueToken(kind: TokenKind, email: string): string
  /** Lets the next call of this path fail in this way. */
  failNext(path: string, failure: FakeFailure): void
  /** Ends every session, as another device or an administrator would. */
  endSessions(): void
  /** Returns the account of a token; null if the token is unknown, ended or expired. */
  userOf(token: string): string | null
  settings: {
    pkce: boolean
    tokenSeconds: number
    /** As if the provider stored the session in an HttpOnly cookie. */
    opaqueIsHidden: boolean
    answersNoSession: boolean
    /** Whether the provider is unreachable. */
    isDown: boolean
  }
}

export interface FakeUser {
  readonly email: string
  readonly password?: string
  /** A confirmed authenticator app, and a recovery code that works once. */
  readonly app?: { readonly code: string; readonly recoveryCode: string }
  readonly trustedMetadata?: Record<string, unknown>
  readonly untrustedMetadata?: Record<string, unknown>
}

export interface FakeCall {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly secret: string
}

export type FakeFailure =
  | { readonly status: number; readonly type: string; readonly message: string }
  | { readonly network: true }
  | { readonly status: number; readonly text: string }

type TokenKind = 'reset' | 'oauth' | 'sso' | 'link' | 'impersonation'

interface Session {
  readonly id: string
  readonly token: string
  readonly email: string
  readonly startedAtMs: number
  expiresAtMs: number
  /** Types of the factors. */
  readonly factors: string[]
}

type Account = Omit<FakeUser, 'password'> & { id: string; password: string | null }

export function createFakeIdentity({ nowMs }: { readonly nowMs: () => number }): FakeIdentity {
  const accounts = new Map<string, Account>()
  const sessions = new Map<string, Session>()
  const tokens = new Map<string, { kind: TokenKind; email: string; challenge?: string }>()
  const failures = new Map<string, FakeFailure>()
  const calls: FakeCall[] = []
  let counter = 0
  const id = (prefix: string) => `${prefix}-test-${String(++counter).padStart(12, '0')}`
  let challenge: string | undefined

  const fake: FakeIdentity = {
    calls,
    settings: {
      pkce: false,
      tokenSeconds: 3600,
      opaqueIsHidden: false,
      answersNoSession: false,
      isDown: false,
    },
    addUser(user) {
      accounts.set(user.email, { ...user, id: id('user'), password: user.password ?? null })
    },
    issueToken(kind, email) {
      if (!accounts.has(email)) fake.addUser({ email })
      const token = id('token')
      tokens.set(token, { kind, email, ...(challenge && { challenge }) })
      return token
    },
    failNext: (path, failure) => void failures.set(path, failure),
    endSessions: () => sessions.clear(),
    userOf(token) {
      const { sub, exp, sid } = readFakeToken(token)
      return exp * 1000 > nowMs() && [...sessions.values()].some(session => session.id === sid) ? sub : null
    },
    async handle(request) {
      const path = new URL(request.url).pathname.replace('/sdk/v1', '')
      const body = JSON.parse((await request.text()) || '{}') as Record<string, unknown>
      const credentials = atob((request.headers.get('authorization') ?? '').replace('Basic ', ''))
      const secret = credentials.slice(credentials.indexOf(':') + 1)
      calls.push({ path, body, secret })
      const failure = failures.get(path)
      failures.delete(path)
      if (fake.settings.isDown || (failure && 'network' in failure)) throw new TypeError('Failed to fetch')
      if (failure && 'text' in failure) return new Response(failure.text, { status: failure.status })
      if (failure) return refuse(failure.status, failure.type, failure.message)
      const answer = routes[path.startsWith('/projects/bootstrap/') ? '/projects/bootstrap' : path]
      return answer ? answer(body, secret) : refuse(404, 'route_not_found', 'Route not found.')
    },
  }

  const routes: Record<string, (body: Record<string, unknown>, secret: string) => Response> = {
    '/projects/bootstrap': () => data(bootstrapData(fake.settings.pkce)),
    '/events': () => data({}),
    '/passwords': ({ email, password }) => {
      if (accounts.has(String(email))) {
        return refuse(
          400,
          'duplicate_email',
          'A user with the specified email already exists for this project.',
        )
      }
      if (String(password).length < 8) {
        return refuse(400, 'weak_password', 'The password is too weak. Please choose a stronger one.')
      }
      fake.addUser({ email: String(email), password: String(password) })
      return authenticated(openSession(String(email)), { email_id: id('email') })
    },
    '/passwords/authenticate': ({ email, password }) =>
      accounts.get(String(email))?.password === password
        ? authenticated(openSession(String(email)))
        : refuse(401, 'unauthorized_credentials', 'Unauthorized credentials.'),
    '/passwords/email/reset/start': ({ code_challenge }) => {
      challenge = code_challenge as string | undefined
      return data({})
    },
    '/passwords/email/reset': body => exchange('reset', body),
    '/passwords/strength_check': ({ password }) => data(strengthData(String(password))),
    '/oauth/authenticate': body => exchange('oauth', body),
    '/sso/authenticate': body => exchange('sso', body),
    '/oauth/attach': () => data({ oauth_attach_token: id('attach') }),
    '/impersonation/authenticate': ({ impersonation_token: token }) => exchange('impersonation', { token }),
    '/magic_links/authenticate': body => exchange('link', body),
    '/sessions/authenticate': ({ session_duration_minutes }, secret) => {
      const session = sessions.get(secret)
      if (!session || session.expiresAtMs <= nowMs())
        return refuse(404, 'session_not_found', 'Session not found.')
      if (typeof session_duration_minutes === 'number') {
        session.expiresAtMs = nowMs() + session_duration_minutes * 60_000
      }
      return authenticated(session)
    },
    '/totps/authenticate': ({ totp_code }, secret) =>
      addFactor(secret, 'totp', ({ app }) => app?.code === totp_code),
    '/totps/recover': ({ recovery_code }, secret) =>
      addFactor(secret, 'recovery_codes', ({ app }) => app?.recoveryCode === recovery_code),
    '/sessions/revoke': (_, secret) =>
      sessions.delete(secret) ? data({}) : refuse(404, 'session_not_found', 'Session not found.'),
  }

  function addFactor(secret: string, type: string, isRight: (account: Account) => boolean): Response {
    const session = sessions.get(secret)
    if (!session) return refuse(404, 'session_not_found', 'Session not found.')
    if (!isRight(accounts.get(session.email)!)) {
      return refuse(401, `unable_to_authenticate_${type}`, 'This code is wrong or too old.')
    }
    session.factors.push(type)
    return authenticated(session)
  }

  function exchange(kind: TokenKind, { token, password, code_verifier }: Record<string, unknown>): Response {
    const given = tokens.get(String(token))
    if (given?.kind !== kind) {
      const [status, type, message] = refusals[kind]
      return refuse(status, type, message)
    }
    if (given.challenge && !code_verifier) {
      return refuse(400, 'pkce_expected_code_verifier', 'A code_verifier was expected but not provided.')
    }
    tokens.delete(String(token))
    const account = accounts.get(given.email)!
    if (kind === 'reset') account.password = String(password)
    const session = openSession(given.email)
    if (kind === 'impersonation') session.factors.push('impersonated')
    return authenticated(session)
  }

  function openSession(email: string): Session {
    const session: Session = {
      id: id('session'),
      token: id('opaque'),
      email,
      startedAtMs: nowMs(),
      expiresAtMs: nowMs() + 3600_000,
      factors: [],
    }
    sessions.set(session.token, session)
    return session
  }

  function authenticated(session: Session, more: object = {}): Response {
    const { tokenSeconds, opaqueIsHidden, answersNoSession } = fake.settings
    const user = userData(accounts.get(session.email)!)
    const answer: Omit<Schemas['AuthenticatedData'], 'request_id' | 'status_code'> = {
      user_id: user.user_id,
      user,
      __user: user,
      session: sessionData(session, user.user_id, nowMs()),
      session_token: opaqueIsHidden ? '' : session.token,
      session_jwt: fakeToken({
        sub: user.user_id,
        sid: session.id,
        n: ++counter,
        exp: Math.floor(Math.min(nowMs() / 1000 + tokenSeconds, session.expiresAtMs / 1000)),
      }),
    }
    return data({
      ...answer,
      ...(answersNoSession && { session: null, session_token: '', session_jwt: '' }),
      ...more,
    })
  }

  return fake
}

const refusals = {
  oauth: [404, 'oauth_token_not_found', 'OAuth Token could not be found.'],
  sso: [404, 'sso_token_not_found', 'This sign-in has already been used or has expired.'],
  reset: [401, 'unable_to_auth_password_reset_token', 'The reset link was already used or has expired.'],
  impersonation: [
    401,
    'unable_to_auth_impersonation_token',
    'This link of an operator has already been used or has expired.',
  ],
  link: [
    401,
    'unable_to_auth_magic_link',
    'This link has already been used or has expired. Please ask for a new one.',
  ],
} as const

/** Returns a text in the form of a session token, with any payload. */
export function fakeToken(payload: object): string {
  const part = (value: object) =>
    btoa(JSON.stringify(value)).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_')
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(payload)}.c2lnbmF0dXJl`
}

function readFakeToken(token: string): { sub: string; exp: number; sid: string } {
  try {
    return JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return { sub: '', exp: 0, sid: '' }
  }
}

function data(fields: object): Response {
  return Response.json({ data: { request_id: 'request-id-test', status_code: 200, ...fields } })
}

function refuse(status: number, type: string, message: string): Response {
  const error: Schemas['ApiError'] = {
    status_code: status,
    request_id: 'request-id-test',
    error_type: type,
    error_message: message,
    error_url: '',
  }
  return Response.json(error, { status })
}

function userData(account: Account): Schemas['User'] {
  return {
    user_id: account.id,
    created_at: '2026-01-01T00:00:00Z',
    status: 'active',
    name: { first_name: '', middle_name: '', last_name: '' },
    emails: [{ email_id: 'email-test-1', email: account.email, verified: true }],
    phone_numbers: [],
    providers: [],
    password: account.password === null ? null : { password_id: 'password-test-1', requires_reset: false },
    totps: account.app === undefined ? [] : [{ totp_id: 'totp-test-1', verified: true }],
    crypto_wallets: [],
    webauthn_registrations: [],
    biometric_registrations: [],
    trusted_metadata: (account.trustedMetadata ?? {}) as Schemas['User']['trusted_metadata'],
    untrusted_metadata: (account.untrustedMetadata ?? {}) as Schemas['User']['untrusted_metadata'],
    roles: ['driver'],
    is_locked: false,
  }
}

function sessionData(session: Session, userId: string, now: number): Schemas['Session'] {
  const at = (ms: number) => new Date(ms).toISOString()
  return {
    session_id: session.id,
    user_id: userId,
    started_at: at(session.startedAtMs),
    last_accessed_at: at(now),
    expires_at: at(session.expiresAtMs),
    attributes: { ip_address: '', user_agent: '' },
    authentication_factors: session.factors.map(type => ({
      type,
      delivery_method: '',
      last_authenticated_at: at(now),
      created_at: at(now),
      updated_at: at(now),
    })),
    custom_claims: null,
    roles: ['driver'],
  }
}

function bootstrapData(pkce: boolean): Omit<Schemas['BootstrapData'], 'request_id' | 'status_code'> {
  return {
    project_name: 'Lapwing',
    disable_sdk_watermark: true,
    cname_domain: null,
    email_domains: [],
    captcha_settings: { enabled: false },
    pkce_required_for_email_magic_links: pkce,
    pkce_required_for_password_resets: pkce,
    pkce_required_for_oauth: pkce,
    pkce_required_for_sso: pkce,
    slug_pattern: null,
    create_organization_enabled: false,
    password_config: null,
    dfp_protected_auth_enabled: false,
    rbac_policy: { roles: [], resources: [], scopes: [] },
    siwe_required_for_crypto_wallets: false,
    vertical: 'CONSUMER',
    wallet_types: [],
    phone_codes: { channels: [], countries: [] },
  }
}

/** Rates longer passwords as stronger, which is enough for the page. */
function strengthData(password: string): Omit<Schemas['PasswordStrengthData'], 'request_id' | 'status_code'> {
  const score = Math.min(4, Math.floor(password.length / 4))
  return {
    valid_password: password.length >= 8 && score >= 3,
    score,
    breached_password: password.startsWith('password'),
    breach_detection_on_create: true,
    strength_policy: 'zxcvbn',
    feedback: {
      suggestions: score < 3 ? ['Add another word or two. Uncommon words are better.'] : [],
      warning: '',
      luds_requirements: {
        has_digit: false,
        has_lower_case: true,
        has_upper_case: false,
        has_symbol: false,
        missing_characters: 0,
        missing_complexity: 0,
      },
    },
  }
}
