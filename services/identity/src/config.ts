import {
  base64Key,
  flag,
  integer,
  networks,
  oneOf,
  optional,
  readEnv,
  text,
  url,
  type Variable,
} from '@lapwing/config'
import { internalKeyEnv, poolEnv, redisEnv } from '@lapwing/config/shared-env'
import { databaseEnv } from '@lapwing/db'
import { listenEnv } from '@lapwing/http/listen-env'
import { isWebAddress, oauthEnv, readOAuthSettings } from './oauth/config.ts'
import { defaultHashCost } from './passwords/hash-cost.ts'
import { defaultRbacPolicy, type RbacPolicy, rbacProblem } from './project/rbac-policy.ts'
import { readTextSettings, textEnv } from './texts/config.ts'
import { WALLET_TYPES, type WalletType } from './wallets/wallet.ts'

type Env = Readonly<Record<string, string | undefined>>

const database = databaseEnv('identity')

/** Reads the variables of the migration, which needs only the database. */
export function loadDatabaseConfig(env: Env) {
  return readEnv(database, env)
}

/** Reads the variables of `lock-user.ts` and of the commands for connected apps: the database, and Redis if used. */
export function loadLockConfig(env: Env) {
  return readEnv({ ...database, redisUrl: identityEnv.redisUrl }, env)
}

/** Reads the variables of `set-roles.ts`: those of `lock-user.ts`, and the policy with the roles. */
export function loadRolesConfig(env: Env) {
  const { redisUrl, rbacPolicy } = identityEnv
  return readEnv({ ...database, redisUrl, rbacPolicy }, env)
}

/** Reads the variables of `remove-app.ts`: those of `lock-user.ts`, and what its mail depends on. */
export function loadRemovalConfig(env: Env) {
  const { redisUrl, keyEncryptionKey, publicOrigin, projectName } = identityEnv
  return readEnv({ ...database, redisUrl, keyEncryptionKey, publicOrigin, projectName }, env)
}

/** Reads the variables of `impersonate.ts`: those of `lock-user.ts`, and the address of the page. */
export function loadImpersonationConfig(env: Env) {
  const { redisUrl, publicOrigin } = identityEnv
  return readEnv({ ...database, redisUrl, publicOrigin }, env)
}

/** Reads the variables of `organizations.ts`: those of `lock-user.ts`, and what a connection depends on. */
export function loadOrganizationConfig(env: Env) {
  const { redisUrl, keyEncryptionKey, publicOrigin } = identityEnv
  const { oauthCallbackOrigin, oauthTimeoutMs } = oauthEnv
  return readEnv(
    { ...database, redisUrl, keyEncryptionKey, publicOrigin, oauthCallbackOrigin, oauthTimeoutMs },
    env,
  )
}

/** Reads the variables of `rotate-keys.ts`: the database and what signing keys depend on. */
export function loadRotationConfig(env: Env) {
  const { keyEncryptionKey, jwtMaxMinutes } = identityEnv
  return readEnv({ ...database, keyEncryptionKey, jwtMaxMinutes }, env)
}

export type Config = ReturnType<typeof loadConfig>

export function loadConfig(env: Env) {
  const config = readEnv({ ...listenEnv(8086), ...database, ...identityEnv, ...oauthEnv, ...textEnv }, env)
  const at = (path: string) => new URL(path, config.publicOrigin).href
  const listed = (list: readonly string[], ...paths: string[]) => (list.length > 0 ? list : paths.map(at))
  return Object.freeze({
    ...config,
    issuer: config.issuer === '' ? `stytch.com/${config.projectId}` : config.issuer,
    oauth: readOAuthSettings(config),
    texts: readTextSettings(config),
    allowedOrigins: [config.publicOrigin.origin, ...config.allowedOrigins],
    /** Addresses that a link may lead to, by its purpose. The first of each list is the default. */
    redirects: {
      login: listed(config.loginRedirects, '/authenticate', '/'),
      signup: listed(config.signupRedirects, '/authenticate', '/'),
      reset: listed(config.resetRedirects, '/reset'),
    },
  })
}

const identityEnv = {
  ...poolEnv,
  redisUrl: optional(
    redisEnv('The Redis that holds ended sessions; without it the gateway asks this service.').redisUrl,
  ),
  smtpUrl: url('SMTP_URL', {
    schemes: ['smtp:', 'smtps:'],
    about: 'The mail server.',
    example: 'smtps://user:secret@mail.example:465',
  }),
  mailFrom: text('MAIL_FROM', {
    about: 'Sender of mails.',
    example: 'Lapwing <no-reply@lapwing.example>',
    fallback: 'Lapwing <no-reply@lapwing.invalid>',
  }),
  publicOrigin: url('PUBLIC_ORIGIN', {
    schemes: ['http:', 'https:'],
    about: 'Public address of Lapwing; links in mails lead there.',
    example: 'https://lapwing.example',
  }),
  allowedOrigins: list('ALLOWED_ORIGINS', {
    isItem: isOrigin,
    about: 'Origins of further pages that may call this service, separated by commas.',
    example: 'https://beta.lapwing.example',
  }),
  loginRedirects: list('LOGIN_REDIRECT_URLS', {
    isItem: isWebAddress,
    about: 'Addresses a sign-in link may lead to; by default /authenticate and / of the public origin.',
    example: 'https://lapwing.example/authenticate',
  }),
  signupRedirects: list('SIGNUP_REDIRECT_URLS', {
    isItem: isWebAddress,
    about: 'Addresses a sign-up link may lead to; by default /authenticate and / of the public origin.',
    example: 'https://lapwing.example/authenticate',
  }),
  resetRedirects: list('RESET_REDIRECT_URLS', {
    isItem: isWebAddress,
    about: 'Addresses a password reset link may lead to; by default /reset of the public origin.',
    example: 'https://lapwing.example/reset',
  }),
  projectName: text('PROJECT_NAME', {
    about: 'Name at the top of mails and on the screens of the protocol’s client.',
    example: 'Lapwing',
    fallback: 'Lapwing',
  }),
  publicToken: text('PUBLIC_TOKEN', {
    about: 'Token with which pages name the project; not a secret.',
    example: 'public-token-live-lapwing',
    fallback: 'public-token-live-lapwing',
  }),
  projectId: text('PROJECT_ID', {
    about: 'Audience of session tokens.',
    example: 'project-live-lapwing',
    fallback: 'project-live-lapwing',
  }),
  issuer: text('JWT_ISSUER', {
    about: "Issuer of session tokens; by default the protocol's own for the project.",
    example: 'https://id.lapwing.example',
    fallback: '',
  }),
  jwtMaxMinutes: integer('JWT_MAX_MINUTES', {
    min: 5,
    max: 10_080,
    about: 'Minutes for which a session token is valid at most; never longer than its session.',
    example: '60',
    fallback: 1_440,
  }),
  sessionMaxMinutes: integer('SESSION_MAX_MINUTES', {
    min: 5,
    max: 527_040,
    about: 'Minutes after which a session ends however often it was extended.',
    example: '43200',
    fallback: 43_200,
  }),
  newAccountsPerHour: integer('NEW_ACCOUNTS_PER_HOUR', {
    min: 1,
    max: 100_000,
    about: 'New accounts an hour from one network address: an IPv4 address or an IPv6 /64.',
    example: '20',
    fallback: 20,
  }),
  keyEncryptionKey: base64Key('KEY_ENCRYPTION_KEY', {
    about: '32 random bytes in base64: seals signing keys and mails at rest.',
    example: 'the output of: openssl rand -base64 32',
  }),
  ...internalKeyEnv,
  trustedProxies: networks('TRUSTED_PROXIES', {
    about: 'Addresses and networks whose X-Forwarded-For is trusted, or none.',
    example: '10.0.0.0/8',
    fallback: [],
  }),
  secondFactor: oneOf('SECOND_FACTOR', {
    choices: ['offered', 'required'],
    about: 'Whether people can choose a second factor (offered), or everybody needs one (required).',
    example: 'offered',
    fallback: 'offered',
  }),
  cookies: oneOf('COOKIES', {
    choices: ['client', 'http-only'],
    about: 'Where the session is stored: in the page (client) or in cookies no script reads (http-only).',
    example: 'client',
    fallback: 'client',
  }),
  cookieDomain: text('COOKIE_DOMAIN', {
    about: 'Domain of http-only cookies; by default the host of this service alone.',
    example: 'lapwing.example',
    fallback: '',
  }),
  pkceForLinks: flag('PKCE_FOR_LINKS', {
    about: 'Whether a link by mail works only in the browser that asked for it.',
    example: 'true',
    fallback: false,
  }),
  walletTypes: walletTypes('WALLET_TYPES'),
  isSiweRequired: flag('SIWE_REQUIRED', {
    about: 'Whether wallets of Ethereum sign the text of Sign-In with Ethereum (EIP-4361).',
    example: 'true',
    fallback: true,
  }),
  rbacPolicy: rbacVariable('RBAC_POLICY'),
  argon2MemoryKib: integer('ARGON2_MEMORY_KIB', {
    min: 8,
    max: 1_048_576,
    about: 'Memory of one password hash in KiB.',
    example: '65536',
    fallback: defaultHashCost.memoryKib,
  }),
  argon2Passes: integer('ARGON2_PASSES', {
    min: 1,
    max: 10,
    about: 'Passes of one password hash.',
    example: '3',
    fallback: defaultHashCost.passes,
  }),
  hashConcurrency: integer('HASH_CONCURRENCY', {
    min: 0,
    max: 64,
    about: 'Password hashes at the same time; 0 means one per core.',
    example: '2',
    fallback: 0,
  }),
  hashWaitMs: integer('HASH_WAIT_MS', {
    min: 50,
    max: 30_000,
    about: 'Milliseconds for which a sign-in may wait for its hash; one that would wait longer is rejected.',
    example: '3000',
    fallback: 3_000,
  }),
  passwordMinScore: integer('PASSWORD_MIN_SCORE', {
    min: 0,
    max: 4,
    about: 'Minimum strength of a new password on the scale of zxcvbn, 0 to 4.',
    example: '2',
    fallback: 2,
  }),
}

function list(
  name: string,
  { isItem, ...about }: { isItem: (item: string) => boolean; about: string; example: string },
): Variable<readonly string[]> {
  return {
    name,
    ...about,
    fallback: { value: [] },
    parse(value) {
      const items = value.split(',').map(item => item.trim())
      return items.every(isItem) ? { value: items } : { problem: 'must be addresses separated by commas' }
    },
  }
}

function walletTypes(name: string): Variable<readonly WalletType[]> {
  return {
    name,
    about: 'Wallets that can sign in, separated by commas: ethereum, solana, or none.',
    example: 'ethereum',
    fallback: { value: WALLET_TYPES },
    parse(value) {
      const names = value === 'none' ? [] : value.split(',').map(part => part.trim())
      const known = WALLET_TYPES.filter(type => names.includes(type))
      return new Set(names).size === known.length
        ? { value: known }
        : { problem: `must be none, or some of ${WALLET_TYPES.join(', ')}` }
    },
  }
}

function isOrigin(text: string): boolean {
  return URL.parse(text)?.origin === text
}

function rbacVariable(name: string): Variable<RbacPolicy> {
  return {
    name,
    about: 'Roles and their permissions, as JSON in the shape that bootstrap returns.',
    example: '{"roles":[],"resources":[],"scopes":[]}',
    fallback: { value: defaultRbacPolicy },
    parse(value) {
      let policy: unknown
      try {
        policy = JSON.parse(value)
      } catch {
        return { problem: 'must be JSON with roles, resources and scopes' }
      }
      const problem = rbacProblem(policy)
      return problem === null ? { value: policy as RbacPolicy } : { problem: `is no policy: ${problem}` }
    },
  }
}
