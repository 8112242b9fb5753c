import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { WalletType } from '../wallets/wallet.ts'

/** A wallet that really signs. */
export interface TestWallet {
  readonly type: WalletType
  /** As identity stores it. */
  readonly address: string
  /** Returns the signature of a text as a wallet returns it. */
  sign(text: string): Promise<string>
}

/** Creates a wallet with a random key. */
export function newWallet(type: WalletType): TestWallet {
  return type === 'ethereum' ? newEthereumWallet() : newSolanaWallet()
}

function newEthereumWallet(): TestWallet {
  const account = privateKeyToAccount(generatePrivateKey())
  return { type: 'ethereum', address: account.address, sign: text => account.signMessage({ message: text }) }
}

function newSolanaWallet(): TestWallet {
  const { secretKey, publicKey } = ed25519.keygen()
  return {
    type: 'solana',
    address: base58.encode(publicKey),
    sign: async text => base58.encode(ed25519.sign(new TextEncoder().encode(text), secretKey)),
  }
}
