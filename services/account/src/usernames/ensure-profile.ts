import { acquireAccountLock } from '@lapwing/db'
import { usernameKey } from '@lapwing/usernames'
import { defaultNameOf } from '@lapwing/usernames/default-name'
import { refuseDeleted } from '../accounts/refuse-deleted.ts'
import type { Db } from '../database.ts'
import type { Publish } from '../subscribers.ts'
import { defaultUsername } from './default-username.ts'
import { findProfile, insertProfile, type Profile } from './username.repository.ts'

/**
 * Returns the person's profile. Creates one on their first request, with the default name that leaderboard shows
 * already, or with a random one if that is taken.
 */
export async function ensureProfile(
  db: Db,
  userId: string,
  {
    publish,
    drawName = attempt => (attempt === 0 ? defaultNameOf(userId) : defaultUsername()),
  }: { readonly publish: Publish; readonly drawName?: (attempt: number) => string },
): Promise<Profile> {
  // Collisions are one in thousands of millions: ten in a row are a defect.
  for (let attempt = 0; attempt < 10; attempt++) {
    const found = await findProfile(db, userId)
    if (found !== null) return found
    const profile = { userId, username: drawName(attempt), isDefault: true }
    await db.transaction().execute(async trx => {
      await acquireAccountLock(trx, userId)
      await refuseDeleted(trx, userId)
      if (!(await insertProfile(trx, profile, usernameKey(profile.username)))) return
      await publish(trx, { case: 'usernameChanged', value: { userId, username: profile.username } })
    })
  }
  throw new Error('no free default name was found')
}
