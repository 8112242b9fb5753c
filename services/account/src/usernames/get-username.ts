import type { operations } from '@lapwing/contracts/account'
import type { Handlers } from '@lapwing/contracts/bind'
import type { Deps } from '../deps.ts'
import { ensureProfile } from './ensure-profile.ts'

export function getUsername({
  db,
  requirePrincipal,
  publish,
}: Pick<Deps, 'db' | 'requirePrincipal' | 'publish'>): Handlers<operations>['getUsername'] {
  return async request => {
    const { userId } = await requirePrincipal(request)
    const profile = await ensureProfile(db, userId, { publish })
    return { username: profile.username, is_default: profile.isDefault }
  }
}
