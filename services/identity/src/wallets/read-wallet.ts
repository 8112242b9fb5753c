import { base58 } from '@scure/base'
import { addr } from 'micro-eth-signer'
import { IdentityError } from '../errors.ts'
import type { Wallet, WalletType } from './wallet.ts'

/** Characters of 32 and of 64 bytes in base58, at most. */
const MAX_BASE58 = { 32: 44, 64: 88 } as const

/**
 * Reads the wallet of a request. Throws `endpoint_not_authorized_for_sdk` if this deployment offers none,
 * `invalid_wallet_type` for a kind that it does not offer, and `invalid_crypto_wallet_address`.
 */
export function readWallet(
  body: { readonly crypto_wallet_type: string; readonly crypto_wallet_address: string },
  offered: readonly WalletType[],
): Wallet {
  if (offered.length === 0) throw new IdentityError('endpoint_not_authorized_for_sdk')
  const type = offered.find(name => name === body.crypto_wallet_type)
  if (type === undefined) throw new IdentityError('invalid_wallet_type')
  const address = readers[type](body.crypto_wallet_address)
  if (address === null) throw new IdentityError('invalid_crypto_wallet_address')
  return { type, address }
}

const readers: Readonly<Record<WalletType, (text: string) => string | null>> = {
  // Wallets return addresses in any case, so the case is no check of the digits.
  ethereum: text => (/^0x[0-9a-f]{40}$/i.test(text) ? addr.addChecksum(text) : null),
  solana: text => (decodeBase58(text, 32) === null ? null : text),
}

/** Returns exactly `length` bytes; null for another text. Each value has one spelling only. */
export function decodeBase58(text: string, length: keyof typeof MAX_BASE58): Uint8Array | null {
  // The time to decode grows with the square of the length.
  if (text.length > MAX_BASE58[length]) return null
  try {
    const bytes = base58.decode(text)
    return bytes.length === length ? bytes : null
  } catch {
    return null
  }
}
