import { base58 } from '@scure/base'
import type { WalletType } from './contract.ts'

export type { WalletType } from './contract.ts'

/** A wallet of the browser, such as an extension. Its calls reject with `WalletError`. */
export interface WalletApp {
  /** Stays the same while the page is open. */
  readonly id: string
  /** Name for the driver. */
  readonly name: string
  readonly type: WalletType
  /** Asks the driver to connect the wallet. Returns the address of the account that is chosen in it. */
  connect(signal: AbortSignal): Promise<string>
  /** Asks the driver to sign a text with that account. Returns the signature as identity expects it. */
  sign(address: string, text: string, signal: AbortSignal): Promise<string>
}

/** The wallet did not do what it was asked. `message` is for the driver. */
export class WalletError extends Error {
  override readonly name = 'WalletError'
}

/** Milliseconds for which a wallet may wait for the driver. */
const ANSWER_MS = 120_000

/** The sentence for each code of EIP-1193, which wallets of Solana use, too. */
const SENTENCES: Readonly<Record<number, string>> = {
  4001: 'Nothing was confirmed in the wallet. You can try again.',
  4100: 'The wallet is locked, or does not allow this account. Open it, and try again.',
  4900: 'The wallet has no connection. Open it, and try again.',
  [-32002]: 'The wallet is still waiting for an answer from you. Open it first.',
}
const ACCOUNT_CHANGED = 'The account in the wallet has changed. Please try again.'

/** A wallet of Ethereum (EIP-1193). */
interface EthereumProvider extends Emitter {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
  readonly isMetaMask?: unknown
  readonly isCoinbaseWallet?: unknown
}

/** A wallet of Solana, in the form that Phantom introduced. */
interface SolanaProvider extends Emitter {
  connect(): Promise<{ readonly publicKey: unknown }>
  signMessage(text: Uint8Array, display: 'utf8'): Promise<unknown>
  readonly isPhantom?: unknown
}

interface Emitter {
  on?(event: string, listen: (value: unknown) => void): unknown
  removeListener?(event: string, listen: (value: unknown) => void): unknown
}

/** What extensions add to the page. */
interface WalletWindow extends EventTarget {
  readonly ethereum?: unknown
  readonly solana?: unknown
  readonly phantom?: { readonly solana?: unknown }
}

/**
 * Finds the wallets of these kinds, and calls `onChange` with all found ones now and for each that is announced
 * later. Returns a function that stops it.
 */
export function watchWallets(
  types: readonly WalletType[],
  onChange: (apps: readonly WalletApp[]) => void,
  page: WalletWindow = window as unknown as WalletWindow,
): () => void {
  const announced = new Map<string, WalletApp>()
  const notify = () => {
    const ethereum = [...announced.values()]
    // A wallet that announces itself is also `window.ethereum`.
    if (ethereum.length === 0 && hasMethod<EthereumProvider>(page.ethereum, 'request')) {
      ethereum.push(ethereumApp('window.ethereum', nameOf(page.ethereum), page.ethereum))
    }
    const solana = [...new Set([page.phantom?.solana, page.solana])]
      .filter(provider => hasMethod<SolanaProvider>(provider, 'signMessage'))
      .map((provider, index) => solanaApp(`solana ${index}`, provider))
    onChange([...ethereum, ...solana].filter(({ type }) => types.includes(type)))
  }
  const hear = (event: Event) => {
    const { info, provider } = ((event as CustomEvent).detail ?? {}) as Partial<Announcement>
    if (typeof info?.uuid !== 'string' || !hasMethod<EthereumProvider>(provider, 'request')) return
    announced.set(info.uuid, ethereumApp(info.uuid, tidyName(info.name), provider))
    notify()
  }
  page.addEventListener('eip6963:announceProvider', hear)
  page.dispatchEvent(new Event('eip6963:requestProvider'))
  notify()
  return () => page.removeEventListener('eip6963:announceProvider', hear)
}

/** The detail of `eip6963:announceProvider` (EIP-6963). Any script of the page can send one. */
interface Announcement {
  readonly info: { readonly uuid: unknown; readonly name: unknown }
  readonly provider: unknown
}

function ethereumApp(id: string, name: string, provider: EthereumProvider): WalletApp {
  const ask = (method: string, params?: readonly unknown[]) =>
    Promise.resolve(provider.request({ method, ...(params && { params }) }))
  return {
    id,
    name,
    type: 'ethereum',
    async connect(signal) {
      const accounts = await orWalletError(ask('eth_requestAccounts'), signal)
      return firstOf(accounts) ?? fail(4100)
    },
    async sign(address, text, signal) {
      const hex = Array.from(new TextEncoder().encode(text), byte => byte.toString(16).padStart(2, '0')).join(
        '',
      )
      const isOther = (accounts: unknown) => firstOf(accounts)?.toLowerCase() !== address.toLowerCase()
      const signing = whileSame(provider, 'accountsChanged', isOther, () =>
        ask('personal_sign', [`0x${hex}`, address]),
      )
      const signature = await orWalletError(signing, signal)
      return typeof signature === 'string' ? signature : fail()
    },
  }
}

function solanaApp(id: string, provider: SolanaProvider): WalletApp {
  return {
    id,
    name: provider.isPhantom === true ? 'Phantom' : 'Other Solana Wallet',
    type: 'solana',
    async connect(signal) {
      const { publicKey } = await orWalletError(Promise.resolve(provider.connect()), signal)
      return String(publicKey ?? fail(4100))
    },
    async sign(address, text, signal) {
      const isOther = (publicKey: unknown) => String(publicKey) !== address
      const signing = whileSame(provider, 'accountChanged', isOther, () =>
        Promise.resolve(provider.signMessage(new TextEncoder().encode(text), 'utf8')),
      )
      const answer = await orWalletError(signing, signal)
      // Some wallets return the bytes alone.
      const { signature: bytes, publicKey } = (
        answer instanceof Uint8Array ? { signature: answer } : (answer ?? {})
      ) as { readonly signature?: unknown; readonly publicKey?: unknown }
      if (publicKey !== undefined && isOther(publicKey)) throw new WalletError(ACCOUNT_CHANGED)
      return bytes instanceof Uint8Array ? base58.encode(bytes) : fail()
    },
  }
}

/** Rejects if the driver chooses another account while the wallet is asked. */
async function whileSame<Answer>(
  wallet: Emitter,
  event: string,
  isOther: (value: unknown) => boolean,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const { promise: changed, reject } = Promise.withResolvers<never>()
  const listen = (value: unknown) => {
    if (isOther(value)) reject(new WalletError(ACCOUNT_CHANGED))
  }
  wallet.on?.(event, listen)
  try {
    return await Promise.race([ask(), changed])
  } finally {
    wallet.removeListener?.(event, listen)
  }
}

/** Waits for the wallet, not for ever. Every failure becomes a sentence for the driver. */
async function orWalletError<Answer>(asked: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const cancel = () => reject(new WalletError(SENTENCES[4001]!))
  signal.addEventListener('abort', cancel)
  const timer = setTimeout(
    () => reject(new WalletError('The wallet has not answered. Open it, and try again.')),
    ANSWER_MS,
  )
  try {
    if (signal.aborted) cancel()
    return await Promise.race([asked, ended])
  } catch (error) {
    if (error instanceof WalletError) throw error
    return fail((error as { code?: unknown } | null)?.code)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }
}

function fail(code?: unknown): never {
  throw new WalletError(SENTENCES[Number(code)] ?? 'The wallet could not be used here.')
}

function firstOf(accounts: unknown): string | undefined {
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  return typeof first === 'string' ? first : undefined
}

function nameOf({ isMetaMask, isCoinbaseWallet }: EthereumProvider): string {
  // Other wallets claim to be MetaMask.
  return isCoinbaseWallet === true ? 'Coinbase' : isMetaMask === true ? 'Metamask' : 'Other Ethereum Wallet'
}

/** Longest name that fits a button at 360 px. */
const MAX_NAME = 24

function tidyName(name: unknown): string {
  const tidy = typeof name === 'string' ? name.replace(/\p{C}/gu, '').trim().slice(0, MAX_NAME) : ''
  return tidy || 'Other Ethereum Wallet'
}

function hasMethod<Provider>(value: unknown, method: keyof Provider & string): value is Provider {
  return typeof value === 'object' && value !== null && typeof (value as Provider)[method] === 'function'
}
