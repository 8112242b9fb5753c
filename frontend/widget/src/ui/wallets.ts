import type { WalletApp, WalletType } from '@lapwing/identity-client/wallet-browser'
import { createStore, type Readable } from '../../../src/shared/store/store.ts'
import { WALLETS, type Wallet } from '../config/products.ts'

/** The wallets of this browser. Extensions announce theirs at any time. */
export interface Wallets {
  readonly apps: Readable<readonly WalletApp[]>
  /** Returns the wallet that a button is for; null if there is none. */
  find(wallet: Wallet, types: readonly WalletType[]): WalletApp | null
  /** Watches from now on. Returns a function that ends it. */
  watch(): () => void
}

export function createWallets(): Wallets {
  const apps = createStore<readonly WalletApp[]>([])
  return {
    apps,
    find: (wallet, types) =>
      walletFor(
        wallet,
        apps.get().filter(({ type }) => types.includes(type)),
      ),
    watch() {
      let isWatched = true
      let stop = () => {}
      import('@lapwing/identity-client/wallet-browser').then(
        ({ watchWallets }) => {
          if (isWatched) stop = watchWallets(['ethereum', 'solana'], apps.set)
        },
        // Every wallet then seems to be missing, and its button says how to get one.
        () => {},
      )
      return () => {
        isWatched = false
        stop()
      }
    },
  }
}

/** Returns the button that a wallet belongs to, by the name that it announces. */
export function buttonOf({ name, type }: Pick<WalletApp, 'name' | 'type'>): Wallet {
  const named = WALLETS.find(wallet => name.toLowerCase().startsWith(wallet.toLowerCase()))
  return named ?? (type === 'ethereum' ? 'Other Ethereum Wallet' : 'Other Solana Wallet')
}

/** Returns the wallet of a button. A button for others also finds a wallet that has its own button. */
export function walletFor(wallet: Wallet, apps: readonly WalletApp[]): WalletApp | null {
  const own = apps.find(app => buttonOf(app) === wallet)
  const kind =
    wallet === 'Other Ethereum Wallet' ? 'ethereum' : wallet === 'Other Solana Wallet' ? 'solana' : null
  return own ?? apps.find(({ type }) => type === kind) ?? null
}

/** Returns all buttons, those of this browser's wallets first. Metamask is the default. */
export function walletOrder(apps: readonly WalletApp[]): readonly Wallet[] {
  return [...new Set<Wallet>([...apps.map(buttonOf), 'Metamask', 'Phantom', ...WALLETS])]
}
