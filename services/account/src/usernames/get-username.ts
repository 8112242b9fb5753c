import type { Deps, HandlerOf } from '../deps.ts'
import { ensureProfile } from './ensure-profile.ts'

export function getUsername({ db, requirePrincipal, publish }: Deps): HandlerOf<'getUsername'> {
  return async request => {
    const { userId } = await requirePrincipal(request)
    const profile = await ensureProfile(db, userId, { publish })
    return { username: profile.username, is_default: profile.isDefault }
  }
}
