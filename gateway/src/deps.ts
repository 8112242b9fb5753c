import { createCallerSigner, createSessionVerifier } from '@lapwing/auth'
import { openRedis, type SharedRedis } from '@lapwing/redis'
import type { Logger } from 'pino'
import type { Deps } from './app.ts'
import { createAskIdentity } from './ask-identity.ts'
import type { AccountsConfig, Config } from './config.ts'
import { createFindCaller, type FindCaller } from './find-caller.ts'
import { createIsRevoked } from './revocation.ts'
import { openUpstream } from './upstream.ts'

/** All that the gateway uses of the world. */
export function createDeps(
  { previewUrl, accounts, boards, redisUrl }: Pick<Config, 'previewUrl' | 'accounts' | 'boards' | 'redisUrl'>,
  logger: Logger,
): Pick<Deps, 'upstreams' | 'findCaller' | 'redis'> & { close(): Promise<void> } {
  const redis = redisUrl && openRedis(redisUrl, logger)
  const upstreams = {
    preview: openUpstream(previewUrl),
    ...(accounts !== null && {
      account: openUpstream(accounts.accountUrl),
      identity: openUpstream(accounts.identityUrl),
    }),
    ...(boards !== null && {
      upload: openUpstream(boards.uploadUrl),
      ingest: openUpstream(boards.ingestUrl),
      leaderboard: openUpstream(boards.leaderboardUrl),
    }),
  }
  return {
    upstreams,
    redis,
    findCaller: accounts && findCallerOf(accounts, redis),
    async close() {
      await Promise.all(Object.values(upstreams).map(upstream => upstream.close()))
      redis?.close()
    },
  }
}

function findCallerOf(
  { identityUrl, projectId, issuer, internalKey }: AccountsConfig,
  redis: SharedRedis | null,
): FindCaller {
  return createFindCaller({
    verify: createSessionVerifier({
      jwks: new URL(`/v1/sessions/jwks/${encodeURIComponent(projectId)}`, identityUrl),
      issuer,
      audience: projectId,
    }),
    sign: createCallerSigner(internalKey),
    isRevoked: createIsRevoked({ redis, askIdentity: createAskIdentity(identityUrl, internalKey) }),
    now: () => new Date(),
  })
}
