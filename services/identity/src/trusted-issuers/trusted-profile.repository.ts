import type { Db } from '../database.ts'
import type { Work } from '../work.ts'

/** An issuer that an operator trusts to say who a person is. */
export interface TrustedProfile {
  readonly profileId: string
  /** The only value of `iss` in its tokens. */
  readonly issuer: string
  /** The only value of `aud`, so that tokens for others are refused. */
  readonly audience: string
  readonly keysUrl: string
}

/** Returns the profile with this id; null if there is none. */
export async function findTrustedProfile(db: Db, profileId: string): Promise<TrustedProfile | null> {
  const row = await db
    .selectFrom('trusted_profile')
    .select(['profile_id as profileId', 'issuer', 'audience', 'keys_url as keysUrl'])
    .where('profile_id', '=', profileId)
    .executeTakeFirst()
  return row ?? null
}

/** Stores a profile. Returns false if its id is taken. */
export async function addTrustedProfile({ trx, now }: Work, profile: TrustedProfile): Promise<boolean> {
  const added = await trx
    .insertInto('trusted_profile')
    .values({
      profile_id: profile.profileId,
      issuer: profile.issuer,
      audience: profile.audience,
      keys_url: profile.keysUrl,
      created_at: now,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('profile_id')
    .executeTakeFirst()
  return added !== undefined
}

/** Removes a profile. Accounts that its issuer opened stay. Returns false if there is none. */
export async function removeTrustedProfile({ trx }: Work, profileId: string): Promise<boolean> {
  const removed = await trx
    .deleteFrom('trusted_profile')
    .where('profile_id', '=', profileId)
    .returning('profile_id')
    .executeTakeFirst()
  return removed !== undefined
}
