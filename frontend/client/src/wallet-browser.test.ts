import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { base58 } from '@scure/base'
import { type WalletApp, WalletError, watchWallets } from './wallet-browser.ts'

const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const never = new AbortController().signal

/** A page with what extensions add to it. */
function pageWith(added: object = {}) {
  return Object.assign(new EventTarget(), added)
}

/** Finds the wallets of a page, and returns them as of now. */
function found(page: EventTarget): () => readonly WalletApp[] {
  let apps: readonly WalletApp[] = []
  watchWallets(['ethereum', 'solana'], next => (apps = next), page)
  return () => apps
}

function announce(page: EventTarget, detail: unknown): void {
  page.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), { detail }))
}

/** A wallet of Ethereum that answers each method with a value, or throws it if it is an error. */
function ethereum(answers: Readonly<Record<string, unknown>> = {}, more: object = {}) {
  const listeners = new Map<string, (value: unknown) => void>()
  return {
    listeners,
    on: (event: string, listen: (value: unknown) => void) => listeners.set(event, listen),
    removeListener: (event: string) => listeners.delete(event),
    async request({ method }: { readonly method: string }) {
      const answer = answers[method]
      if (answer instanceof Error) throw answer
      return answer
    },
    ...more,
  }
}

const withCode = (code: number) => Object.assign(new Error('in English only'), { code })

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
afterEach(() => mock.timers.reset())

test('lists no wallet on a page without one', () => {
  assert.deepEqual(found(pageWith())(), [])
  assert.deepEqual(found(pageWith({ ethereum: null, solana: 'text', phantom: {} }))(), [])
})

test('names window.ethereum and window.solana, and lists one object once', () => {
  const solana = { isPhantom: true, connect() {}, signMessage() {} }
  const names = (added: object) => found(pageWith(added))().map(({ name, type }) => `${type}: ${name}`)
  assert.deepEqual(names({ ethereum: ethereum({}, { isMetaMask: true }) }), ['ethereum: Metamask'])
  assert.deepEqual(names({ ethereum: ethereum({}, { isMetaMask: true, isCoinbaseWallet: true }) }), [
    'ethereum: Coinbase',
  ])
  assert.deepEqual(names({ ethereum: ethereum() }), ['ethereum: Other Ethereum Wallet'])
  assert.deepEqual(names({ solana, phantom: { solana } }), ['solana: Phantom'])
  assert.deepEqual(names({ solana: { ...solana, isPhantom: false }, phantom: { solana } }), [
    'solana: Phantom',
    'solana: Other Solana Wallet',
  ])
})

test('lists every wallet that announces itself, also later, instead of window.ethereum', () => {
  const page = pageWith({ ethereum: ethereum() })
  const early = { info: { uuid: 'a', name: 'Early Wallet' }, provider: ethereum() }
  page.addEventListener('eip6963:requestProvider', () => announce(page, early))
  const apps = found(page)
  const names = () => apps().map(({ name }) => name)
  assert.deepEqual(names(), ['Early Wallet'])
  announce(page, { info: { uuid: 'b', name: `Late\u202e\n${'x'.repeat(100)}` }, provider: ethereum() })
  announce(page, early)
  assert.deepEqual(names(), ['Early Wallet', `Late${'x'.repeat(20)}`])
})

test('ignores announcements of another shape', () => {
  const page = pageWith()
  const apps = found(page)
  for (const detail of [undefined, null, 7, {}, { info: {} }, { info: { uuid: 'a' }, provider: {} }]) {
    announce(page, detail)
  }
  assert.deepEqual(apps(), [])
  announce(page, { info: { uuid: 'a', name: 7 }, provider: ethereum() })
  assert.equal(apps()[0]!.name, 'Other Ethereum Wallet')
})

test('lists only the kinds that are offered, and none after it was stopped', () => {
  const page = pageWith({ ethereum: ethereum(), solana: { connect() {}, signMessage() {} } })
  const seen: string[][] = []
  const stop = watchWallets(['solana'], apps => seen.push(apps.map(({ type }) => type)), page)
  stop()
  announce(page, { info: { uuid: 'a', name: 'x' }, provider: ethereum() })
  assert.deepEqual(seen, [['solana']])
})

test('asks a wallet of Ethereum for its account and the signature of the text in hex', async () => {
  const calls: unknown[] = []
  const provider = {
    request: async (call: { readonly method: string }) => {
      calls.push(call)
      return call.method === 'personal_sign' ? '0xsigned' : [address, '0xother']
    },
  }
  const [app] = found(pageWith({ ethereum: provider }))()
  assert.equal(await app!.connect(never), address)
  assert.equal(await app!.sign(address, 'Grüße', never), '0xsigned')
  assert.deepEqual(calls, [
    { method: 'eth_requestAccounts' },
    { method: 'personal_sign', params: ['0x4772c3bcc39f65', address] },
  ])
})

test('returns the signature of a wallet of Solana in base58, in both forms of its answer', async () => {
  const signature = Uint8Array.from({ length: 64 }, (_, index) => index)
  const key = { toString: () => 'the key' }
  for (const answer of [signature, { signature, publicKey: key }]) {
    const solana = { connect: async () => ({ publicKey: key }), signMessage: async () => answer }
    const [app] = found(pageWith({ solana }))()
    assert.equal(await app!.connect(never), 'the key')
    assert.deepEqual(base58.decode(await app!.sign('the key', 'text', never)), signature)
  }
  const other = { signature, publicKey: { toString: () => 'another key' } }
  const solana = { connect: async () => ({ publicKey: key }), signMessage: async () => other }
  const [app] = found(pageWith({ solana }))()
  await assert.rejects(
    app!.sign('the key', 'text', never),
    /^WalletError: The account in the wallet has changed/,
  )
})

for (const [error, sentence] of [
  [withCode(4001), 'Nothing was confirmed in the wallet. You can try again.'],
  [withCode(4100), 'The wallet is locked, or does not allow this account. Open it, and try again.'],
  [withCode(4900), 'The wallet has no connection. Open it, and try again.'],
  [withCode(-32002), 'The wallet is still waiting for an answer from you. Open it first.'],
  [withCode(-32603), 'The wallet could not be used here.'],
  [new TypeError('no code at all'), 'The wallet could not be used here.'],
] as const) {
  test(`explains ${'code' in error ? error.code : 'an error without a code'}: ${sentence}`, async () => {
    const provider = ethereum({ eth_requestAccounts: error, personal_sign: error })
    const [app] = found(pageWith({ ethereum: provider }))()
    await assert.rejects(app!.connect(never), new WalletError(sentence))
    await assert.rejects(app!.sign(address, 'text', never), new WalletError(sentence))
    assert.equal(provider.listeners.size, 0)
  })
}

test('explains answers of another shape', async () => {
  for (const answer of [undefined, null, [], [7], 'text', {}]) {
    const provider = ethereum({ eth_requestAccounts: answer, personal_sign: [answer] })
    const [app] = found(pageWith({ ethereum: provider }))()
    await assert.rejects(app!.connect(never), WalletError)
    await assert.rejects(app!.sign(address, 'text', never), WalletError)
    const solana = { connect: async () => ({ publicKey: undefined }), signMessage: async () => answer }
    const [other] = found(pageWith({ solana }))()
    await assert.rejects(other!.connect(never), WalletError)
    await assert.rejects(other!.sign('key', 'text', never), WalletError)
  }
})

test('ends a request when the driver cancels, and after two minutes', async () => {
  const provider = ethereum({}, { request: () => new Promise(() => {}) })
  const [app] = found(pageWith({ ethereum: provider }))()
  const cancelled = new AbortController()
  const asked = app!.sign(address, 'text', cancelled.signal)
  cancelled.abort()
  await assert.rejects(asked, /^WalletError: Nothing was confirmed/)
  await assert.rejects(app!.connect(cancelled.signal), /^WalletError: Nothing was confirmed/)
  const waiting = app!.connect(never)
  mock.timers.tick(119_999)
  const settled = await Promise.race([waiting.catch(() => 'ended'), Promise.resolve('waits')])
  assert.equal(settled, 'waits')
  mock.timers.tick(1)
  await assert.rejects(waiting, /^WalletError: The wallet has not answered/)
})

test('ends a request for a signature when the driver chooses another account, in any spelling', async () => {
  const provider = ethereum({}, { request: () => new Promise(() => {}) })
  const [app] = found(pageWith({ ethereum: provider }))()
  const asked = app!.sign(address, 'text', never)
  const change = (accounts: unknown) => provider.listeners.get('accountsChanged')!(accounts)
  change([address.toLowerCase()])
  change(['0x0000000000000000000000000000000000000001'])
  await assert.rejects(asked, /^WalletError: The account in the wallet has changed/)
  assert.equal(provider.listeners.size, 0)
})
