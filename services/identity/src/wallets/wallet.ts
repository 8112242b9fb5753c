/** Kinds of wallets, in the protocol's words. */
export const WALLET_TYPES = ['ethereum', 'solana'] as const

export type WalletType = (typeof WALLET_TYPES)[number]

/** A wallet, by the public address of its key. */
export interface Wallet {
  readonly type: WalletType
  /** In its only stored spelling: hex with the checksum of EIP-55, or base58. */
  readonly address: string
}

/** Names a wallet in locks and limits. */
export function walletKey({ type, address }: Wallet): string {
  return `${type} ${address}`
}
