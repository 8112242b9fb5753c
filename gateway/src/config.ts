import { join } from 'node:path'
import { ConfigError, flag, integer, networks, oneOf, optional, readEnv, text, url } from '@lapwing/config'
import { internalKeyEnv } from '@lapwing/config/shared-env'
import { listenEnv } from '@lapwing/http'

export type Config = ReturnType<typeof loadConfig>

export function loadConfig(env: Readonly<Record<string, string | undefined>>) {
  const config = readEnv(spec, env)
  const accounts = readAccounts(config)
  return Object.freeze({ ...config, accounts, boards: readBoards(config, accounts) })
}

/** Addresses of the services behind the boards. */
export interface BoardsConfig {
  readonly uploadUrl: URL
  readonly ingestUrl: URL
  readonly leaderboardUrl: URL
  /** Address to which browsers post files. */
  readonly objectStorePublicUrl: URL
}

/** Configuration of accounts. */
export interface AccountsConfig {
  readonly accountUrl: URL
  readonly identityUrl: URL
  /** Whether it is the hosted provider, which does not report sessions that end before their token. */
  readonly isHosted: boolean
  /** Null if the page reaches identity on its own origin. */
  readonly identityPublicUrl: URL | null
  readonly publicToken: string
  /** Audience of session tokens. */
  readonly projectId: string
  readonly issuer: string
  /** Shared with the services, at least 32 bytes. */
  readonly internalKey: Uint8Array
}

const HTTP = ['http:', 'https:']

export const spec = {
  ...listenEnv(8080),
  previewUrl: url('PREVIEW_URL', {
    schemes: HTTP,
    about: 'Address of the preview service.',
    example: 'http://preview:8081',
    fallback: new URL('http://127.0.0.1:8081'),
  }),
  accountUrl: optional(
    url('ACCOUNT_URL', {
      schemes: HTTP,
      about: 'Address of the account service; without it there are no accounts.',
      example: 'http://account:8085',
    }),
  ),
  identityUrl: optional(
    url('IDENTITY_URL', {
      schemes: HTTP,
      about: 'Address of the identity service; without it there are no accounts.',
      example: 'http://identity:8086',
    }),
  ),
  uploadUrl: optional(
    url('UPLOAD_URL', {
      schemes: HTTP,
      about: 'Address of the upload service; without it there are no boards.',
      example: 'http://upload:8082',
    }),
  ),
  ingestUrl: optional(
    url('INGEST_URL', {
      schemes: HTTP,
      about: 'Address of the ingest service; without it there are no boards.',
      example: 'http://ingest:8083',
    }),
  ),
  leaderboardUrl: optional(
    url('LEADERBOARD_URL', {
      schemes: HTTP,
      about: 'Address of the leaderboard service; without it there are no boards.',
      example: 'http://leaderboard:8084',
    }),
  ),
  objectStorePublicUrl: optional(
    url('S3_PUBLIC_ENDPOINT', {
      schemes: HTTP,
      about: 'Address to which browsers post files; the page may then reach it.',
      example: 'https://files.lapwing.example',
    }),
  ),
  identityPublicUrl: optional(
    url('IDENTITY_PUBLIC_URL', {
      schemes: HTTP,
      about: 'Address at which the page reaches identity, if not its own origin.',
      example: 'https://id.lapwing.example',
    }),
  ),
  identityHosted: flag('IDENTITY_HOSTED', {
    about: 'Whether identity is the hosted provider; ended sessions are then refused when their tokens end.',
    example: 'true',
    fallback: false,
  }),
  publicToken: text('PUBLIC_TOKEN', {
    about: "Names the project in the page's calls to identity; no secret.",
    example: 'public-token-live-lapwing',
    fallback: 'public-token-live-lapwing',
  }),
  projectId: text('PROJECT_ID', {
    about: 'Audience of session tokens.',
    example: 'project-live-lapwing',
    fallback: 'project-live-lapwing',
  }),
  issuer: optional(
    text('JWT_ISSUER', {
      about: "Issuer of session tokens; by default the protocol's own for the project.",
      example: 'https://id.lapwing.example',
    }),
  ),
  internalKey: optional(internalKeyEnv.internalKey),
  redisUrl: optional(
    url('REDIS_URL', {
      schemes: ['redis:', 'rediss:'],
      about: 'Redis that counts rate limits for all gateways and lists ended sessions.',
      example: 'redis://redis:6379',
    }),
  ),
  frontendDir: text('FRONTEND_DIR', {
    about: 'Folder of the built page.',
    example: '/app/frontend/dist',
    fallback: join(import.meta.dirname, '../../frontend/dist'),
  }),
  publicOrigin: url('PUBLIC_ORIGIN', {
    schemes: HTTP,
    about: 'The address that drivers see; services receive it. https turns on HSTS.',
    example: 'https://lapwing.example',
    fallback: new URL('http://localhost:8080'),
  }),
  trustedProxies: networks('TRUSTED_PROXIES', {
    about: 'Proxies in front whose X-Forwarded-For is trusted, separated by commas.',
    example: '10.0.0.0/8,fd00::/8',
    fallback: [],
  }),
  maxConnectionsPerAddress: integer('MAX_CONNECTIONS_PER_ADDRESS', {
    min: 1,
    max: 10_000,
    about: 'Connections that one address, or one IPv6 /64, may hold; trusted proxies may hold any number.',
    example: '512',
    fallback: 512,
  }),
  pagePreview: oneOf('PAGE_PREVIEW', {
    choices: ['browser', 'server'],
    about: 'Reader of a dropped file (D-23).',
    example: 'browser',
    fallback: 'browser',
  }),
  pageMaps: flag('PAGE_MAPS', {
    about: 'Whether the page offers the 2D and 3D views.',
    example: 'true',
    fallback: false,
  }),
  version: text('VERSION', {
    about: 'Version of this deployment, shown to people who report a problem.',
    example: '1.4.0',
    fallback: 'development',
  }),
}

type Read = ReturnType<typeof readEnv<typeof spec>>

/** Returns null if neither service is named. Throws if only half of the variables are there. */
function readAccounts(config: Read): AccountsConfig | null {
  const { accountUrl, identityUrl, identityHosted, identityPublicUrl, publicToken, projectId, internalKey } =
    config
  if (accountUrl === null && identityUrl === null) return null
  const problems = [
    ...(accountUrl === null ? ['ACCOUNT_URL is missing: IDENTITY_URL needs it.'] : []),
    ...(identityUrl === null ? ['IDENTITY_URL is missing: ACCOUNT_URL needs it.'] : []),
    ...(internalKey === null ? [`INTERNAL_KEY is missing: ${spec.internalKey.about}`] : []),
  ]
  if (accountUrl === null || identityUrl === null || internalKey === null) throw new ConfigError(problems)
  return {
    accountUrl,
    identityUrl,
    isHosted: identityHosted,
    identityPublicUrl,
    publicToken,
    projectId,
    issuer: config.issuer ?? `stytch.com/${projectId}`,
    internalKey,
  }
}

/** Returns null if none of the services is named. Throws if only some are named, or without accounts. */
function readBoards(
  { uploadUrl, ingestUrl, leaderboardUrl, objectStorePublicUrl }: Read,
  accounts: AccountsConfig | null,
): BoardsConfig | null {
  const needed = {
    UPLOAD_URL: uploadUrl,
    INGEST_URL: ingestUrl,
    LEADERBOARD_URL: leaderboardUrl,
    S3_PUBLIC_ENDPOINT: objectStorePublicUrl,
  }
  const missing = Object.entries(needed).filter(([, value]) => value === null)
  if (missing.length === Object.keys(needed).length) return null
  const problems = [
    ...missing.map(([name]) => `${name} is missing: boards need it.`),
    ...(accounts === null ? ['ACCOUNT_URL and IDENTITY_URL are missing: boards need accounts.'] : []),
  ]
  if (problems.length > 0) throw new ConfigError(problems)
  return {
    uploadUrl: uploadUrl!,
    ingestUrl: ingestUrl!,
    leaderboardUrl: leaderboardUrl!,
    objectStorePublicUrl: objectStorePublicUrl!,
  }
}
