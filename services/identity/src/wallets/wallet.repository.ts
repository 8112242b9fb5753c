import { newId } from '../crypto/secrets.ts'
import type { Db, Trx } from '../database.ts'
import { IdentityError } from '../errors.ts'
import type { Work } from '../work.ts'
import type { Wallet } from './wallet.ts'

/** Wallets of one person. */
export const MAX_WALLETS = 10

/** A wallet that opens an account. */
export interface OwnedWallet extends Wallet {
  readonly walletId: string
  readonly userId: string
}

/** Returns the owner of a wallet; null if no account has it. */
export async function findWallet(db: Db | Trx, wallet: Wallet): Promise<OwnedWallet | null> {
  const row = await db
    .selectFrom('crypto_wallet')
    .select(['crypto_wallet_id as walletId', 'user_id as userId'])
    .where('wallet_type', '=', wallet.type)
    .where('address', '=', wallet.address)
    .executeTakeFirst()
  return row === undefined ? null : { ...row, ...wallet }
}

/** Adds a wallet that has signed. Throws the unique violation `crypto_wallet_address` if an account has it. */
export async function addWallet({ trx, now }: Work, userId: string, wallet: Wallet): Promise<OwnedWallet> {
  const walletId = newId('crypto-wallet')
  await trx
    .insertInto('crypto_wallet')
    .values({
      crypto_wallet_id: walletId,
      user_id: userId,
      wallet_type: wallet.type,
      address: wallet.address,
      created_at: now,
    })
    .execute()
  return { walletId, userId, ...wallet }
}

/** Throws `unauthorized_action` if the person has as many wallets as one can have. */
export async function requireRoomForWallet(trx: Trx, userId: string): Promise<void> {
  const { wallets } = await trx
    .selectFrom('crypto_wallet')
    .select(({ fn }) => fn.countAll<string>().as('wallets'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (Number(wallets) < MAX_WALLETS) return
  throw new IdentityError('unauthorized_action', {
    message: `An account can have ${MAX_WALLETS} wallets. Please remove one before you add another.`,
  })
}
