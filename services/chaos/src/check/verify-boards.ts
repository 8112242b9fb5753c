import { join } from 'node:path'
import { serviceUrl } from '@lapwing/db'
import { runToEnd } from '../world/run-to-end.ts'
import type { World } from '../world/world.ts'

/**
 * Runs leaderboard's own recount of every board, without the proxies. Returns its output if it finds drift,
 * else nothing.
 */
export async function verifyBoards(world: World): Promise<string[]> {
  const { rootDir, servers, env, rolePassword } = world
  try {
    await runToEnd(join(rootDir, 'services/leaderboard/src/verify.ts'), {
      ...env('leaderboard'),
      DATABASE_URL: serviceUrl(servers.postgres.url, { service: 'leaderboard', password: rolePassword }),
      REDIS_URL: servers.redis.url,
    })
    return []
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
    return [`the recount of the boards fails: ${(stdout + stderr).trim() || String(error)}`]
  }
}
