import { newId } from '../crypto/secrets.ts'
import type { Db, Trx } from '../database.ts'
import { IdentityError } from '../errors.ts'
import type { Work } from '../work.ts'

/** Numbers of one person. */
export const MAX_PHONES = 10

/** The number of a phone, which its person has proved. */
export interface Phone {
  readonly phoneId: string
  readonly userId: string
  /** E.164. */
  readonly number: string
}

/** Returns the phone with this number in E.164; null if no account has it. */
export async function findPhone(db: Db | Trx, number: string): Promise<Phone | null> {
  const row = await db
    .selectFrom('phone_number')
    .select(['phone_id as phoneId', 'user_id as userId', 'number'])
    .where('number', '=', number)
    .executeTakeFirst()
  return row ?? null
}

/** Adds a proved number. Throws the unique violation `phone_number_key` if an account has it. */
export async function addPhone({ trx, now }: Work, userId: string, number: string): Promise<Phone> {
  const phoneId = newId('phone-number')
  await trx
    .insertInto('phone_number')
    .values({ phone_id: phoneId, user_id: userId, number, created_at: now })
    .execute()
  return { phoneId, userId, number }
}

/** Throws `unauthorized_action` if the person has as many other numbers as one can have. */
export async function requireRoomForPhone(trx: Trx, userId: string, number: string): Promise<void> {
  const { phones } = await trx
    .selectFrom('phone_number')
    .select(({ fn }) => fn.countAll<string>().as('phones'))
    .where('user_id', '=', userId)
    .where('number', '!=', number)
    .executeTakeFirstOrThrow()
  if (Number(phones) < MAX_PHONES) return
  throw new IdentityError('unauthorized_action', {
    message: `An account can have ${MAX_PHONES} phone numbers. Please remove one before you add another.`,
  })
}
