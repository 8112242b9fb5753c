import { exportJWK, exportPKCS8, generateKeyPair, importPKCS8, type JWTPayload, SignJWT } from 'jose'
import { sql } from 'kysely'
import type { Cipher } from '../crypto/cipher.ts'
import { newId } from '../crypto/secrets.ts'
import type { Db, PublicJwk, Trx } from '../database.ts'

/** RSASSA-PKCS1-v1_5 with SHA-256, as the protocol requires. */
export const ALGORITHM = 'RS256'

/** The keys that sign the JWTs of sessions and of connected apps. */
export interface KeyStore {
  /** @param typ media type in the header, `JWT` by default */
  sign(payload: JWTPayload, typ?: string): Promise<string>
  /** Returns the public keys of all tokens that are valid now or will be soon. */
  jwks(): Promise<readonly PublishedKey[]>
  /**
   * A check for `/readyz`: returns true if the stored keys can be opened, else the sentence for the operator.
   * Creates the first key. Rejects if the database is away.
   */
  check(): Promise<true | string>
}

export interface PublishedKey extends PublicJwk {
  readonly use: string
  readonly key_ops: string[]
  readonly alg: string
  readonly kid: string
}

interface LoadedKey {
  readonly published: PublishedKey
  readonly privateKey: Awaited<ReturnType<typeof importPKCS8>>
  readonly signsFrom: Date
  readonly retiresAt: Date | null
}

/** Milliseconds between reads of the keys, so that a rotation reaches every process. */
const RELOAD_AFTER_MS = 30_000

export function createKeyStore({ db, cipher, now }: { db: Db; cipher: Cipher; now: () => Date }): KeyStore {
  let keys: readonly LoadedKey[] = []
  let loadedAtMs = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | null = null

  async function load(): Promise<void> {
    await db.transaction().execute(trx => ensureKey(trx, cipher, now()))
    const rows = await db
      .selectFrom('signing_key')
      .select(['kid', 'public_jwk', 'private_key_sealed', 'signs_from', 'retires_at'])
      .orderBy('signs_from')
      .execute()
    keys = await Promise.all(
      rows.map(async row => ({
        published: { ...row.public_jwk, use: 'sig', key_ops: ['verify'], alg: ALGORITHM, kid: row.kid },
        privateKey: await importPKCS8(openKey(cipher, row), ALGORITHM),
        signsFrom: row.signs_from,
        retiresAt: row.retires_at,
      })),
    )
    loadedAtMs = now().getTime()
  }

  async function current(): Promise<readonly LoadedKey[]> {
    const ageMs = now().getTime() - loadedAtMs
    if (ageMs > RELOAD_AFTER_MS || ageMs < 0) {
      loading ??= load().finally(() => {
        loading = null
      })
      // Loaded keys stay in use while the database is down.
      await loading.catch(error => {
        if (keys.length === 0) throw error
      })
    }
    const at = now()
    return keys.filter(({ retiresAt }) => retiresAt === null || retiresAt > at)
  }

  return {
    async sign(payload, typ = 'JWT') {
      const keys = await current()
      // Read after `current`, which may create the first key.
      const at = now()
      const key = keys.filter(({ signsFrom }) => signsFrom <= at).at(-1)
      if (key === undefined) throw new Error('no signing key is in use')
      return new SignJWT(payload)
        .setProtectedHeader({ alg: ALGORITHM, kid: key.published.kid, typ })
        .sign(key.privateKey)
    },
    jwks: async () => (await current()).map(({ published }) => published),
    async check() {
      try {
        await current()
        return true
      } catch (error) {
        if (error instanceof WrongKey) return error.message
        throw error
      }
    },
  }
}

/** The stored signing keys were sealed with another key than the configured one. */
class WrongKey extends Error {
  override readonly name = 'WrongKey'
}

function openKey(
  cipher: Cipher,
  { kid, private_key_sealed }: { readonly kid: string; readonly private_key_sealed: Buffer },
): string {
  try {
    return cipher.open(private_key_sealed, label(kid))
  } catch (cause) {
    throw new WrongKey(
      `KEY_ENCRYPTION_KEY does not open the signing key ${kid} of this database: it is not the key ` +
        'that the installation began with. Restore that key.',
      { cause },
    )
  }
}

/** Creates the first key if there is none. Two processes that start at the same time create one. */
async function ensureKey(trx: Trx, cipher: Cipher, now: Date): Promise<void> {
  const usable = () =>
    trx
      .selectFrom('signing_key')
      .select('kid')
      .where('signs_from', '<=', now)
      .where(eb => eb.or([eb('retires_at', 'is', null), eb('retires_at', '>', now)]))
      .executeTakeFirst()
  if ((await usable()) !== undefined) return
  await lockKeys(trx)
  if ((await usable()) === undefined) await insertKey(trx, cipher, { createdAt: now, signsFrom: now })
}

/** Waits for the lock that lets one process at a time change the keys. */
export async function lockKeys(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('identity signing keys'))`.execute(trx)
}

/** Creates a key pair, stores it and returns its id. */
export async function insertKey(
  trx: Trx,
  cipher: Cipher,
  { createdAt, signsFrom }: { readonly createdAt: Date; readonly signsFrom: Date },
): Promise<string> {
  const kid = newId('jwk')
  const pair = await generateKeyPair(ALGORITHM, { modulusLength: 2048, extractable: true })
  const { kty, n, e } = await exportJWK(pair.publicKey)
  await trx
    .insertInto('signing_key')
    .values({
      kid,
      public_jwk: JSON.stringify({ kty, n, e }),
      private_key_sealed: cipher.seal(await exportPKCS8(pair.privateKey), label(kid)),
      created_at: createdAt,
      signs_from: signsFrom,
      retires_at: null,
    })
    .execute()
  return kid
}

/** Binds a sealed key to its id. */
const label = (kid: string) => `signing-key ${kid}`
