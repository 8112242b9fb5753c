import type { operations } from '@lapwing/contracts/account'
import type { Handlers } from '@lapwing/contracts/bind'
import type { Deps } from '../deps.ts'
import { ensureProfile } from './ensure-profile.ts'

export function getUsername({
  db,
  caller,
  now,
}: Pick<Deps, 'db' | 'caller' | 'now'>): Handlers<operations>['getUsername'] {
  return async request => {
    const { userId } = await caller(request)
    const profile = await ensureProfile(db, userId, { now })
    return { username: profile.username, is_default: profile.isDefault }
  }
}
