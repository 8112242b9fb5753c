import type { operations } from '@lapwing/contracts/account'
import type { Handlers } from '@lapwing/contracts/bind'
import type { Deps } from '../deps.ts'
import { ensureProfile } from './ensure-profile.ts'

export function getUsername({
  db,
  requirePrincipal,
  tell,
}: Pick<Deps, 'db' | 'requirePrincipal' | 'tell'>): Handlers<operations>['getUsername'] {
  return async request => {
    const { userId } = await requirePrincipal(request)
    const profile = await ensureProfile(db, userId, { tell })
    return { username: profile.username, is_default: profile.isDefault }
  }
}
