import { acquireAccountLock } from '@lapwing/db'
import { usernameKey } from '@lapwing/usernames'
import { refuseDeleted } from '../accounts/refuse-deleted.ts'
import type { Db } from '../database.ts'
import type { Publish } from '../subscribers.ts'
import { defaultUsername } from './default-username.ts'
import { findProfile, insertProfile, type Profile } from './username.repository.ts'

/** Returns the person's profile. Creates one with a default name on their first request. */
export async function ensureProfile(
  db: Db,
  userId: string,
  { publish, drawName = defaultUsername }: { readonly publish: Publish; readonly drawName?: () => string },
): Promise<Profile> {
  // Collisions are one in thousands of millions: ten in a row are a defect.
  for (let attempt = 0; attempt < 10; attempt++) {
    const found = await findProfile(db, userId)
    if (found !== null) return found
    const profile = { userId, username: drawName(), isDefault: true }
    await db.transaction().execute(async trx => {
      await acquireAccountLock(trx, userId)
      await refuseDeleted(trx, userId)
      if (!(await insertProfile(trx, profile, usernameKey(profile.username)))) return
      await publish(trx, { case: 'usernameChanged', value: { userId, username: profile.username } })
    })
  }
  throw new Error('no free default name was found')
}
