import { newWallet, type TestWallet } from '@lapwing/identity/test/wallets'
import type { BrowserContext } from 'playwright-core'

/** What the driver does when a wallet asks. */
type Answer = 'confirms' | 'refuses' | 'waits'

/** Wallets of a browser, as extensions add them to every page. They really sign. */
export interface BrowserWallets {
  /** Named "Metamask", announced by EIP-6963. */
  readonly metamask: TestWallet
  /** `window.solana`, as Phantom adds it. */
  readonly phantom: TestWallet
  /** Sets what the driver does when a wallet asks for a signature. */
  readonly set: (answer: Answer) => void
}

/** Adds wallets to all pages that the context opens from now on. */
export async function addBrowserWallets(context: BrowserContext): Promise<BrowserWallets> {
  const [metamask, phantom] = [newWallet('ethereum'), newWallet('solana')]
  let answer: Answer = 'confirms'
  // The keys stay in the test. The page has only the wallets' interface.
  await context.exposeFunction('signWithTestWallet', async (type: string, text: string) => {
    if (answer === 'waits') return new Promise<never>(() => {})
    return answer === 'refuses' ? null : (type === 'ethereum' ? metamask : phantom).sign(text)
  })
  await context.addInitScript(addToPage, { ethereum: metamask.address, solana: phantom.address })
  return {
    metamask,
    phantom,
    set(next) {
      answer = next
    },
  }
}

/** Runs in the page. */
function addToPage(addresses: { readonly ethereum: string; readonly solana: string }): void {
  // biome-ignore lint/suspicious/noExplicitAny: the page that extensions add to.
  const page = window as any
  const sign = async (type: string, text: string): Promise<string> => {
    const signature: string | null = await page.signWithTestWallet(type, text)
    if (signature === null) throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
    return signature
  }
  const emitter = () => {
    const target = new EventTarget()
    const wrapped = new Map<unknown, EventListener>()
    return {
      on(event: string, listen: (value: unknown) => void) {
        const listener: EventListener = given => listen((given as CustomEvent).detail)
        wrapped.set(listen, listener)
        target.addEventListener(event, listener)
      },
      removeListener: (event: string, listen: unknown) =>
        target.removeEventListener(event, wrapped.get(listen) ?? null),
      emit: (event: string, detail: unknown) => target.dispatchEvent(new CustomEvent(event, { detail })),
    }
  }
  const ethereum = {
    ...emitter(),
    isMetaMask: true,
    async request({ method, params }: { readonly method: string; readonly params?: readonly string[] }) {
      if (method === 'eth_requestAccounts') return [addresses.ethereum.toLowerCase()]
      if (method !== 'personal_sign') throw Object.assign(new Error('unsupported'), { code: 4200 })
      const [message = ''] = params ?? []
      const bytes = message.startsWith('0x')
        ? Uint8Array.from(message.slice(2).match(/../g) ?? [], pair => Number.parseInt(pair, 16))
        : new TextEncoder().encode(message)
      return sign('ethereum', new TextDecoder().decode(bytes))
    },
  }
  const announce = () =>
    window.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', {
        detail: Object.freeze({
          info: { uuid: 'a-test-wallet', name: 'Metamask', icon: 'data:,', rdns: 'test.wallet' },
          provider: ethereum,
        }),
      }),
    )
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
  page.ethereum = ethereum
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const decode = (text: string, length: number) => {
    let value = [...text].reduce((sum, letter) => sum * 58n + BigInt(alphabet.indexOf(letter)), 0n)
    const bytes = new Uint8Array(length)
    for (let index = length - 1; index >= 0; index--) {
      bytes[index] = Number(value & 255n)
      value >>= 8n
    }
    return bytes
  }
  const publicKey = { toString: () => addresses.solana }
  const signMessage = async (bytes: Uint8Array) => ({
    signature: decode(await sign('solana', new TextDecoder().decode(bytes)), 64),
    publicKey,
  })
  page.solana = {
    ...emitter(),
    isPhantom: true,
    connect: async () => ({ publicKey }),
    signMessage,
    async request({ method, params }: { readonly method: string; readonly params: { message: Uint8Array } }) {
      if (method !== 'signMessage') throw Object.assign(new Error('unsupported'), { code: 4200 })
      return signMessage(params.message)
    },
  }
}
