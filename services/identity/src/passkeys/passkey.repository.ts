import { newSecret } from '../crypto/secrets.ts'
import type { Db, Trx } from '../database.ts'
import type { Work } from '../work.ts'

/** A stored passkey and the account that it opens. */
export interface Passkey {
  readonly registrationId: string
  readonly userId: string
  /** Random id of the account inside its passkeys. */
  readonly handle: string | null
  readonly publicKey: Uint8Array<ArrayBuffer>
  readonly counter: number
  readonly domain: string
  readonly userAgent: string
}

/** Returns the passkey with this id; null if no account has it. */
export async function findPasskey(db: Db | Trx, credentialId: string): Promise<Passkey | null> {
  const row = await db
    .selectFrom('webauthn_registration')
    .innerJoin('person', 'person.user_id', 'webauthn_registration.user_id')
    .select([
      'webauthn_registration_id as registrationId',
      'webauthn_registration.user_id as userId',
      'webauthn_handle as handle',
      'public_key as publicKey',
      'counter',
      'domain',
      'user_agent as userAgent',
    ])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  if (row === undefined) return null
  return { ...row, publicKey: new Uint8Array(row.publicKey), counter: Number(row.counter) }
}

/** Lists the passkeys of a person for one domain, as the browser needs them. */
export async function listCredentials(
  db: Db | Trx,
  userId: string,
  domain: string,
): Promise<{ id: string; transports: string[] }[]> {
  return db
    .selectFrom('webauthn_registration')
    .select(['credential_id as id', 'transports'])
    .where('user_id', '=', userId)
    .where('domain', '=', domain)
    .orderBy('created_at')
    .execute()
}

export async function countPasskeys(trx: Trx, userId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('webauthn_registration')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the person's random id inside passkeys, and creates it the first time. The person is locked. */
export async function handleOf(trx: Trx, userId: string): Promise<string> {
  const { webauthn_handle } = await trx
    .updateTable('person')
    .set(eb => ({ webauthn_handle: eb.fn.coalesce('webauthn_handle', eb.val(newSecret())) }))
    .where('user_id', '=', userId)
    .returning('webauthn_handle')
    .executeTakeFirstOrThrow()
  return webauthn_handle!
}

/** Stores a passkey. Returns false if an account has it already. */
export async function insertPasskey(
  { trx, now }: Work,
  passkey: Omit<Passkey, 'handle'> & {
    readonly credentialId: string
    readonly transports: readonly string[]
    readonly authenticatorType: string
    readonly name: string
  },
): Promise<boolean> {
  const inserted = await trx
    .insertInto('webauthn_registration')
    .values({
      webauthn_registration_id: passkey.registrationId,
      user_id: passkey.userId,
      credential_id: passkey.credentialId,
      public_key: Buffer.from(passkey.publicKey),
      counter: passkey.counter,
      transports: [...passkey.transports],
      domain: passkey.domain,
      authenticator_type: passkey.authenticatorType,
      user_agent: passkey.userAgent,
      name: passkey.name,
      created_at: now,
    })
    .onConflict(conflict => conflict.constraint('webauthn_credential').doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

/** Stores the count of a use. Returns false if the passkey is gone or another use was stored meanwhile. */
export async function storeUse(
  trx: Trx,
  { registrationId, counter }: Pick<Passkey, 'registrationId' | 'counter'>,
  newCounter: number,
): Promise<boolean> {
  const updated = await trx
    .updateTable('webauthn_registration')
    .set({ counter: newCounter })
    .where('webauthn_registration_id', '=', registrationId)
    .where('counter', '=', String(counter))
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}

/** Names a person's passkey. Returns false if they do not have it. */
export async function namePasskey(
  trx: Trx,
  userId: string,
  registrationId: string,
  name: string,
): Promise<boolean> {
  const updated = await trx
    .updateTable('webauthn_registration')
    .set({ name })
    .where('user_id', '=', userId)
    .where('webauthn_registration_id', '=', registrationId)
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}
