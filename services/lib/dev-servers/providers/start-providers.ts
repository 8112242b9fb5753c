import { createLogger } from '@lapwing/http'
import type { FastifyInstance } from 'fastify'
import { exportJWK, generateKeyPair } from 'jose'
import type { Logger } from 'pino'
import { buildProviders } from './app.ts'
import { localClient } from './local-client.ts'

/**
 * Starts "Local Google" and "Local Discord": sign-in providers with the real protocols that accept any email
 * address. Use them on this machine only.
 */
export async function startProviders(options: ProvidersOptions = {}): Promise<RunningProviders> {
  const { host = '127.0.0.1', port = 0, now = Date.now } = options
  const logger = options.logger ?? createLogger('providers', 'silent')
  const app = await createProviders({ now, logger, redirectOrigins: options.redirectOrigins ?? [] })
  const url = await app.listen({ host, port })
  return { url, env: providersEnv(url), close: () => app.close() }
}

/** Creates the app for a process that listens by itself. */
export async function createProviders(options: {
  readonly now: () => number
  readonly logger: Logger
  readonly redirectOrigins: readonly string[]
}): Promise<FastifyInstance> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  return buildProviders({
    ...options,
    client: localClient,
    signingKey: privateKey,
    publicJwk: await exportJWK(publicKey),
  })
}

/** Returns the variables with which identity uses these providers instead of the real ones. */
export function providersEnv(url: string): Readonly<Record<string, string>> {
  return {
    OAUTH_GOOGLE_CLIENT_ID: localClient.id,
    OAUTH_GOOGLE_CLIENT_SECRET: localClient.secret,
    OAUTH_GOOGLE_ISSUER: `${url}/google`,
    OAUTH_GOOGLE_KEYS_URL: `${url}/google/certs`,
    OAUTH_GOOGLE_AUTHORIZE_URL: `${url}/google/authorize`,
    OAUTH_GOOGLE_TOKEN_URL: `${url}/google/token`,
    OAUTH_GOOGLE_PROFILE_URL: `${url}/google/userinfo`,
    OAUTH_DISCORD_CLIENT_ID: localClient.id,
    OAUTH_DISCORD_CLIENT_SECRET: localClient.secret,
    OAUTH_DISCORD_AUTHORIZE_URL: `${url}/discord/authorize`,
    OAUTH_DISCORD_TOKEN_URL: `${url}/discord/token`,
    OAUTH_DISCORD_PROFILE_URL: `${url}/discord/users/@me`,
  }
}

export interface ProvidersOptions {
  readonly host?: string
  /** A free port by default. */
  readonly port?: number
  /** Milliseconds since 1970. */
  readonly now?: () => number
  readonly logger?: Logger
  /** Further origins to which people may be redirected, beside this machine's own. */
  readonly redirectOrigins?: readonly string[]
}

export interface RunningProviders {
  readonly url: string
  /** Variables for identity. */
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}
