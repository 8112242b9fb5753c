import { join } from 'node:path'
import { ConfigError, flag, integer, networks, oneOf, optional, readEnv, text, url } from '@lapwing/config'
import { internalKeyEnv, redisEnv, serviceUrl } from '@lapwing/config/shared-env'
import { listenEnv } from '@lapwing/http'
import { NO_MAP_SOURCES, readMapSources } from './map-sources.ts'
import { mapEnv } from './map-variables.ts'
import { readTileSources } from './tiles/tile-sources.ts'

export type Config = ReturnType<typeof loadConfig>

export function loadConfig(env: Readonly<Record<string, string | undefined>>) {
  const config = readEnv(spec, env)
  const accounts = readAccounts(config)
  const mapSources = readMapSources(config, env)
  return Object.freeze({
    ...config,
    accounts,
    boards: readBoards(config, accounts),
    mapSources: config.pageMaps ? mapSources : NO_MAP_SOURCES,
    tileSources: config.pageMaps ? readTileSources(config) : [],
  })
}

export type AccountsConfig = NonNullable<ReturnType<typeof readAccounts>>

const HTTP = ['http:', 'https:']

function optionalService(
  name: string,
  { service, port, feature }: { readonly service: string; readonly port: number; readonly feature: string },
) {
  const about = `Address of the ${service} service; without it there are no ${feature}.`
  return optional(serviceUrl(name, about, `http://${service}:${port}`))
}

export const spec = {
  ...listenEnv(8080),
  previewUrl: url('PREVIEW_URL', {
    schemes: HTTP,
    about: 'Address of the preview service.',
    example: 'http://preview:8081',
    fallback: new URL('http://127.0.0.1:8081'),
  }),
  accountUrl: optionalService('ACCOUNT_URL', { service: 'account', port: 8085, feature: 'accounts' }),
  identityUrl: optionalService('IDENTITY_URL', { service: 'identity', port: 8086, feature: 'accounts' }),
  uploadUrl: optionalService('UPLOAD_URL', { service: 'upload', port: 8082, feature: 'boards' }),
  ingestUrl: optionalService('INGEST_URL', { service: 'ingest', port: 8083, feature: 'boards' }),
  leaderboardUrl: optionalService('LEADERBOARD_URL', {
    service: 'leaderboard',
    port: 8084,
    feature: 'boards',
  }),
  objectStorePublicUrl: optional(
    serviceUrl(
      'S3_PUBLIC_ENDPOINT',
      'Address to which browsers post files; the page may then reach it.',
      'https://files.lapwing.example',
    ),
  ),
  identityPublicUrl: optional(
    serviceUrl(
      'IDENTITY_PUBLIC_URL',
      'Address at which the page reaches identity, if not its own origin.',
      'https://id.lapwing.example',
    ),
  ),
  identityHosted: flag('IDENTITY_HOSTED', {
    about: 'Whether identity is the hosted provider; ended sessions are then refused when their tokens end.',
    example: 'true',
    fallback: false,
  }),
  publicToken: text('PUBLIC_TOKEN', {
    about: "Names the project in the page's calls to identity; no secret.",
    fallback: 'public-token-live-lapwing',
  }),
  projectId: text('PROJECT_ID', {
    about: 'Audience of session tokens.',
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
    redisEnv('Redis that counts rate limits for all gateways and lists ended sessions.').redisUrl,
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
    fallback: 512,
  }),
  pagePreview: oneOf('PAGE_PREVIEW', {
    choices: ['browser', 'server'],
    about: 'Reader of a dropped file (D-23).',
    fallback: 'browser',
  }),
  pageMaps: flag('PAGE_MAPS', {
    about: 'Whether the page offers the 2D and 3D views.',
    example: 'false',
    fallback: true,
  }),
  ...mapEnv,
  version: text('VERSION', {
    about: 'Version of this deployment, shown to people who report a problem.',
    example: '1.4.0',
    fallback: 'development',
  }),
}

type Read = ReturnType<typeof readEnv<typeof spec>>

/** Reads what accounts need. Null if neither service is named. Throws if only half of the variables are there. */
function readAccounts(config: Read) {
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
    /** Null if the page reaches identity on its own origin. */
    identityPublicUrl,
    publicToken,
    projectId,
    issuer: config.issuer ?? `stytch.com/${projectId}`,
    internalKey,
  }
}

/** Null if no service of the boards is named. Throws if only some are named, or without accounts. */
function readBoards(
  { uploadUrl, ingestUrl, leaderboardUrl, objectStorePublicUrl }: Read,
  accounts: AccountsConfig | null,
) {
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
