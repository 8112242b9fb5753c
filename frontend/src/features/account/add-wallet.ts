import type { IdentityUser } from '#shared/session/identity-client.ts'
import { type WalletApp, WalletError } from '#shared/session/wallet-browser.ts'
import type { Account } from './account.ts'

/**
 * Asks a wallet of the browser for its signature, and adds it to the account.
 *
 * @throws IdentityError, IdentityUnreachableError, WalletError
 */
export async function addWallet(
  { identity, session, notify }: Pick<Account, 'identity' | 'session' | 'notify'>,
  { crypto_wallets: owned }: Pick<IdentityUser, 'crypto_wallets'>,
  app: WalletApp,
  signal: AbortSignal,
): Promise<void> {
  const address = await app.connect(signal)
  const isOwned = owned.some(
    wallet => wallet.crypto_wallet_type === app.type && isSameAddress(wallet.crypto_wallet_address, address),
  )
  if (isOwned) throw new WalletError('This wallet opens your account already.')
  const text = await identity.startWallet(app.type, address)
  const signature = await app.sign(address, text, signal)
  session.adopt(await identity.authenticateWallet(app.type, address, signature))
  notify.success('Wallet added')
}

/** Only Ethereum ignores the case, and its addresses begin with `0x`, which no other kind contains. */
function isSameAddress(one: string, other: string): boolean {
  return one.startsWith('0x') ? one.toLowerCase() === other.toLowerCase() : one === other
}
