import type { IdentityUser } from '@lapwing/identity-client/contract'
import { type WalletApp, WalletError } from '@lapwing/identity-client/wallet-browser'
import { createWallets } from '@lapwing/identity-client/wallets'
import type { Account } from './account.ts'

/**
 * Asks a wallet of the browser for its signature, and adds it to the account.
 *
 * @throws ApiError, UnreachableError, WalletError
 */
export async function addWallet(
  { client, session, notify }: Pick<Account, 'client' | 'session' | 'notify'>,
  { crypto_wallets: owned }: Pick<IdentityUser, 'crypto_wallets'>,
  app: WalletApp,
  signal: AbortSignal,
): Promise<void> {
  const address = await app.connect(signal)
  const isOwned = owned.some(
    wallet => wallet.crypto_wallet_type === app.type && isSameAddress(wallet.crypto_wallet_address, address),
  )
  if (isOwned) throw new WalletError('This wallet opens your account already.')
  const calls = createWallets(client)
  const wallet = { crypto_wallet_address: address, crypto_wallet_type: app.type }
  const { challenge } = await calls.start(wallet)
  const signature = await app.sign(address, challenge, signal)
  session.adopt(await calls.authenticate({ ...wallet, signature }))
  notify.success('Wallet added')
}

/** Only Ethereum ignores the case, and its addresses begin with `0x`, which no other kind contains. */
function isSameAddress(one: string, other: string): boolean {
  return one.startsWith('0x') ? one.toLowerCase() === other.toLowerCase() : one === other
}
