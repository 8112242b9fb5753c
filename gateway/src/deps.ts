import {
  createAccessTokenVerifier,
  createPrincipalSigner,
  createSessionVerifier,
  remoteKeySet,
} from '@lapwing/auth'
import { openRedis, type SharedRedis } from '@lapwing/redis'
import type { Logger } from 'pino'
import type { Deps } from './app.ts'
import { createAskIdentity } from './ask-identity.ts'
import type { AccountsConfig, Config } from './config.ts'
import { createFindPrincipal, type FindPrincipal } from './find-principal.ts'
import { createIsRevoked } from './revocation.ts'
import { routes, type UpstreamName } from './routes.ts'
import { openUpstream, type Upstream } from './upstream.ts'

/** Opens everything outside the process that the gateway uses. */
export function createDeps(
  {
    previewUrl,
    accounts,
    boards,
    redisUrl,
    publicOrigin,
  }: Pick<Config, 'previewUrl' | 'accounts' | 'boards' | 'redisUrl' | 'publicOrigin'>,
  logger: Logger,
): Pick<Deps, 'upstreams' | 'findPrincipal' | 'redis'> & { close(): Promise<void> } {
  const redis = redisUrl && openRedis(redisUrl, logger)
  const upstreams = {
    preview: open('preview', previewUrl),
    ...(accounts !== null && {
      account: open('account', accounts.accountUrl),
      identity: open('identity', accounts.identityUrl),
    }),
    ...(boards !== null && {
      upload: open('upload', boards.uploadUrl),
      ingest: open('ingest', boards.ingestUrl),
      leaderboard: open('leaderboard', boards.leaderboardUrl),
    }),
  }
  return {
    upstreams,
    redis,
    findPrincipal: accounts && createPrincipalFinder(accounts, publicOrigin, redis),
    async close() {
      await Promise.all(Object.values(upstreams).map(upstream => upstream.close()))
      redis?.close()
    },
  }
}

/**
 * Opens an upstream with more connections than its largest route can use. A full route, such as the one on
 * which drivers wait for their files, then leaves connections to the other routes of the service.
 */
function open(name: UpstreamName, address: URL): Upstream {
  const largest = Math.max(...routes.filter(({ upstream }) => upstream === name).map(row => row.concurrency))
  return openUpstream(name, address, { connections: largest + SPARE_CONNECTIONS })
}

const SPARE_CONNECTIONS = 128

function createPrincipalFinder(
  { identityUrl, isHosted, projectId, issuer, internalKey }: AccountsConfig,
  publicOrigin: URL,
  redis: SharedRedis | null,
): FindPrincipal {
  const jwks = remoteKeySet(new URL(`/v1/sessions/jwks/${encodeURIComponent(projectId)}`, identityUrl))
  return createFindPrincipal({
    verify: createSessionVerifier({ jwks, issuer, audience: projectId }),
    // The hosted provider knows no apps of Lapwing.
    verifyAccess: isHosted ? null : createAccessTokenVerifier({ jwks, issuer: publicOrigin.origin }),
    sign: createPrincipalSigner(internalKey),
    // The hosted provider does not report ended sessions. Its tokens expire within minutes.
    isRevoked: isHosted
      ? async () => false
      : createIsRevoked({ redis, askIdentity: createAskIdentity(identityUrl, internalKey) }),
    now: () => new Date(),
  })
}
