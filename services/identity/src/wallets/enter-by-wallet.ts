import type { Deps } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import type { Client } from '../http/client.ts'
import { notifyOfWay } from '../mail/notify-of-way.ts'
import { lockSessionOf } from '../sessions/lock-session-of.ts'
import { createUser, lockActiveUser } from '../users/user.repository.ts'
import type { Work } from '../work.ts'
import { addWallet, findWallet, type OwnedWallet, requireRoomForWallet } from './wallet.repository.ts'
import type { Wallet } from './wallet.ts'

/**
 * Finds the account of a person whose wallet has signed. A sign-in uses the account of the wallet, or creates one.
 * A challenge that adds a wallet counts only in a session of the person who requested it. Call
 * `lockAddressAndAccount` first.
 *
 * @param addTo user id of that person; null for a sign-in
 * @returns the wallet; null, without any change, if it opens nothing
 * @throws IdentityError `duplicate_wallet_address` if it would be added and another account has it
 */
export async function enterByWallet(
  work: Work,
  deps: Pick<Deps, 'limits' | 'enqueueMail' | 'settings'>,
  wallet: Wallet,
  client: Client,
  addTo: string | null,
): Promise<OwnedWallet | null> {
  const known = await findWallet(work.trx, wallet)
  if (addTo !== null) {
    if ((await lockSessionOf(work, client, addTo)) === null) return null
    if (known?.userId === addTo) return known
    // Only the wallet's owner learns it: the wallet has just signed.
    if (known !== null) throw new IdentityError('duplicate_wallet_address')
    await requireRoomForWallet(work.trx, addTo)
    const added = await addWallet(work, addTo, wallet)
    await notifyOfWay(work, deps, addTo, 'wallet_added')
    return added
  }
  if (known !== null) return (await lockActiveUser(work.trx, known.userId)) ? known : null
  return addWallet(work, await createUser(work, deps.limits, client), wallet)
}
