import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base58 } from '@scure/base'
import { parseSiweMessage } from 'viem/siwe'
import { sweep } from '../sweep.ts'
import { type Harness, harness, origin } from '../test/harness.ts'
import { newWallet, type TestWallet } from '../test/wallets.ts'
import { factorsOf, waysIn } from '../test/ways-in.ts'
import { lockUser } from '../users/lock-user.ts'
import { MAX_COMPARED, MAX_STORED } from './challenge.repository.ts'
import { MAX_WALLETS } from './wallet.repository.ts'
import { WALLET_TYPES } from './wallet.ts'

let service: Harness
let ways: ReturnType<typeof waysIn>

before(async () => {
  service = await harness({}, { ALLOWED_ORIGINS: 'https://beta.lapwing.test' })
  ways = waysIn(service)
})
after(() => service.close())

const refusal = { status: 401, error: 'unable_to_authenticate_crypto_wallet' }
const pick = ({ status, error }: { readonly status: number; readonly error: string | undefined }) => ({
  status,
  error,
})

async function challengeFor(wallet: TestWallet, more: object = {}): Promise<string> {
  const { status, body, data } = await ways.startWallet(wallet, more)
  assert.equal(status, 200, JSON.stringify(body))
  return data.challenge
}

/** Signs up a person whose address is proved. */
async function signUpProved(email: string) {
  const signed = await service.signUp(email)
  await service.db.updateTable('email').set({ verified: true }).where('user_id', '=', signed.userId).execute()
  return signed
}

const remove = (as: string, id: string) =>
  service.call('deleteCryptoWallet', `/sdk/v1/users/crypto_wallets/${id}`, { method: 'DELETE', as })

const countChallenges = async () =>
  (await service.db.selectFrom('wallet_challenge').select('nonce').execute()).length

for (const type of WALLET_TYPES) {
  describe(type, () => {
    test('creates an account without a mail address, and opens it again', async () => {
      const wallet = newWallet(type)
      const first = await ways.enterByWallet(wallet)
      assert.equal(first.status, 200, JSON.stringify(first.body))
      assert.deepEqual(first.data.user.emails, [])
      const [stored] = first.data.user.crypto_wallets
      assert.deepEqual(stored, {
        crypto_wallet_id: stored.crypto_wallet_id,
        crypto_wallet_address: wallet.address,
        crypto_wallet_type: type,
        verified: true,
      })
      const [factor] = first.data.session.authentication_factors
      assert.deepEqual(
        [factor.type, factor.delivery_method, factor.crypto_wallet_factor],
        [
          'crypto',
          'crypto_wallet',
          {
            crypto_wallet_id: stored.crypto_wallet_id,
            crypto_wallet_address: wallet.address,
            crypto_wallet_type: type,
          },
        ],
      )
      assert.ok(await ways.isAccepted(first.data.session_jwt))
      const second = await ways.enterByWallet(wallet)
      assert.equal(second.data.user_id, first.data.user_id)
      assert.notEqual(second.data.session.session_id, first.data.session.session_id)
    })

    test('accepts a challenge once, and one of ten concurrent tries', async () => {
      const wallet = newWallet(type)
      const signature = await wallet.sign(await challengeFor(wallet))
      const answers = await Promise.all(Array.from({ length: 10 }, () => ways.useWallet(wallet, signature)))
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
      assert.deepEqual(pick(await ways.useWallet(wallet, signature)), refusal)
    })

    test('rejects a challenge after its ten minutes', async () => {
      const wallet = newWallet(type)
      const signature = await wallet.sign(await challengeFor(wallet))
      service.advance(10 * 60_000)
      assert.deepEqual(pick(await ways.useWallet(wallet, signature)), refusal)
      const late = await wallet.sign(await challengeFor(wallet))
      service.advance(10 * 60_000 - 1)
      assert.equal((await ways.useWallet(wallet, late)).status, 200)
    })

    for (const [what, change] of [
      ['another page', (text: string) => text.replace('lapwing.test', 'evil.test')],
      [
        'another nonce',
        (text: string) => text.replace(/Nonce: \w/, found => (found.endsWith('0') ? 'Nonce: 1' : 'Nonce: 0')),
      ],
      ['a later end', (text: string) => text.replace(/Expiration Time: 2026/, 'Expiration Time: 2036')],
      [
        'another chain',
        (text: string) =>
          text
            .replace('Ethereum account', 'Solana account')
            .replace('Version: 1', 'Version: 1\nChain ID: 5')
            .replace('Chain ID: 1\n', ''),
      ],
      ['a line more', (text: string) => `${text}\n`],
      ['nothing', () => ''],
    ] as const) {
      test(`rejects the signature of a text with ${what}`, async () => {
        const wallet = newWallet(type)
        const text = await challengeFor(wallet)
        assert.notEqual(change(text), text)
        assert.deepEqual(pick(await ways.useWallet(wallet, await wallet.sign(change(text)))), refusal)
        assert.equal((await ways.useWallet(wallet, await wallet.sign(text))).status, 200, 'the text itself')
      })
    }

    test('rejects the signature of another wallet, and of a challenge for another wallet', async () => {
      const [wallet, other] = [newWallet(type), newWallet(type)]
      const text = await challengeFor(wallet)
      assert.deepEqual(pick(await ways.useWallet(wallet, await other.sign(text))), refusal)
      assert.deepEqual(pick(await ways.useWallet(other, await other.sign(text))), refusal)
    })

    test('rejects a signature without a challenge', async () => {
      const wallet = newWallet(type)
      assert.deepEqual(pick(await ways.useWallet(wallet, await wallet.sign('Sign in to Lapwing.'))), refusal)
    })

    test('accepts a signature from another network, because a phone changes it', async () => {
      const wallet = newWallet(type)
      const signature = await wallet.sign(await challengeFor(wallet))
      assert.equal((await ways.useWallet(wallet, signature, undefined, '192.0.2.30')).status, 200)
    })

    test('accepts the signature of a client for whose wallet many strangers ask for challenges', async () => {
      const wallet = newWallet(type)
      const signature = await wallet.sign(await challengeFor(wallet))
      for (let stranger = 0; stranger < 2 * MAX_COMPARED; stranger++) {
        service.advance(1_000)
        assert.equal((await ways.startWallet(wallet, {}, `198.51.100.${stranger}`)).status, 200)
      }
      assert.equal((await ways.useWallet(wallet, signature)).status, 200)
    })

    test('answers a start the same for a known, an unknown and a locked wallet', async () => {
      const [known, unknown, locked] = [newWallet(type), newWallet(type), newWallet(type)]
      await ways.enterByWallet(known)
      const { data } = await ways.enterByWallet(locked)
      await service.deps.change(work => lockUser(work, data.user_id, true))
      const shapes = []
      for (const wallet of [known, unknown, locked]) {
        const { status, data, headers } = await ways.startWallet(wallet)
        const text = data.challenge
          .replace(wallet.address, 'ADDRESS')
          .replace(/Nonce: [0-9a-f]{32}/, 'Nonce: NONCE')
        shapes.push({ status, text, members: Object.keys(data), headers: Object.keys(headers).sort() })
      }
      assert.deepEqual(shapes[1], shapes[0])
      assert.deepEqual(shapes[2], shapes[0])
    })

    test('signs nobody in to a locked account', async () => {
      const wallet = newWallet(type)
      const { data } = await ways.enterByWallet(wallet)
      await service.deps.change(work => lockUser(work, data.user_id, true))
      assert.deepEqual(pick(await ways.enterByWallet(wallet)), refusal)
      await service.deps.change(work => lockUser(work, data.user_id, false))
      assert.equal((await ways.enterByWallet(wallet)).status, 200)
    })

    test('adds a wallet to the account of the session that requested it, mails its owner, and removes it', async () => {
      const email = `adds.${type}@example.com`
      const { token, userId, sessionId } = await signUpProved(email)
      const wallet = newWallet(type)
      const started = await ways.startWalletInSession(wallet, token)
      assert.match(started.data.challenge, /Add this wallet to your Lapwing account\./)
      const added = await ways.useWallet(wallet, await wallet.sign(started.data.challenge), token)
      assert.equal(added.data.session.session_id, sessionId)
      assert.deepEqual(factorsOf(added), ['password', 'crypto'])
      assert.equal((await ways.enterByWallet(wallet)).data.user_id, userId)
      const kinds = async () => (await service.mailsTo(email)).map(({ kind }) => kind)
      assert.ok((await kinds()).includes('wallet_added'))

      const as = added.data.session_token
      const pending = await wallet.sign(await challengeFor(wallet))
      const removed = await remove(as, added.data.user.crypto_wallets[0].crypto_wallet_id)
      assert.deepEqual(removed.data.__user.crypto_wallets, [])
      assert.ok((await kinds()).includes('wallet_removed'))
      assert.deepEqual(pick(await ways.useWallet(wallet, pending)), refusal, 'its challenges are gone')
      const again = await ways.enterByWallet(wallet)
      assert.notEqual(again.data.user_id, userId)
    })

    test('accepts a challenge that adds a wallet only in a session of the person who requested it', async () => {
      const { token } = await signUpProved(`asks.${type}@example.com`)
      const stranger = await signUpProved(`stranger.${type}@example.com`)
      const wallet = newWallet(type)
      const { data } = await ways.startWalletInSession(wallet, token)
      const signature = await wallet.sign(data.challenge)
      assert.deepEqual(pick(await ways.useWallet(wallet, signature)), refusal)
      assert.deepEqual(pick(await ways.useWallet(wallet, signature, stranger.token)), refusal)
      assert.deepEqual(pick(await ways.useWallet(wallet, signature, 'no-session')), refusal)
      assert.equal((await ways.useWallet(wallet, signature, token)).status, 200)
    })

    test('adds no wallet that opens another account', async () => {
      const wallet = newWallet(type)
      const owner = await ways.enterByWallet(wallet)
      const { token } = await signUpProved(`second.${type}@example.com`)
      const { status, error } = await ways.addWallet(wallet, token)
      assert.deepEqual([status, error], [400, 'duplicate_wallet_address'])
      assert.equal((await ways.enterByWallet(wallet)).data.user_id, owner.data.user_id)
    })

    test('creates one account for two signatures of a new wallet at the same time', async () => {
      const wallet = newWallet(type)
      const signatures = [
        await wallet.sign(await challengeFor(wallet)),
        await wallet.sign(await challengeFor(wallet)),
      ]
      const answers = await Promise.all(signatures.map(signature => ways.useWallet(wallet, signature)))
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      )
      assert.equal(answers[0]!.data.user_id, answers[1]!.data.user_id)
    })
  })
}

test('makes the text of Sign-In with Ethereum from what the page asks for', async () => {
  const wallet = newWallet('ethereum')
  const text = await challengeFor(wallet, {
    siwe_params: {
      uri: 'https://beta.lapwing.test/sign-in?from=menu',
      chain_id: '137',
      issued_at: '2026-03-01T11:59:00Z',
      statement: 'Hello, driver.',
      message_request_id: 'request-7',
      resources: ['https://lapwing.test/terms', 'ipfs://bafy'],
    },
  })
  const { nonce, expirationTime, ...rest } = parseSiweMessage(text)
  assert.match(nonce!, /^[0-9a-f]{32}$/)
  assert.equal(expirationTime!.getTime(), service.now().getTime() + 600_000)
  assert.deepEqual(rest, {
    address: wallet.address,
    chainId: 137,
    domain: 'beta.lapwing.test',
    issuedAt: new Date('2026-03-01T11:59:00Z'),
    requestId: 'request-7',
    resources: ['https://lapwing.test/terms', 'ipfs://bafy'],
    statement: 'Hello, driver.',
    uri: 'https://beta.lapwing.test/sign-in?from=menu',
    version: '1',
  })
  assert.equal((await ways.useWallet(wallet, await wallet.sign(text))).status, 200)
})

test('names the page that calls in the text, and our own for other programs', async () => {
  for (const type of WALLET_TYPES) {
    const wallet = newWallet(type)
    const from = async (headers: Readonly<Record<string, string>>) =>
      (
        await service.call('startWallet', '/sdk/v1/crypto_wallets/authenticate/start/primary', {
          headers,
          body: { crypto_wallet_type: type, crypto_wallet_address: wallet.address },
        })
      ).data?.challenge
    assert.match(
      await from({ origin: 'https://beta.lapwing.test' }),
      /^beta\.lapwing\.test wants .*\nURI: https:\/\/beta\.lapwing\.test\n/s,
    )
    assert.match(await from({}), /^lapwing\.test wants .*\nURI: https:\/\/lapwing\.test\n/s)
    assert.equal(await from({ origin: 'https://evil.test' }), undefined)
  }
})

for (const [params, error] of [
  [{ uri: 'https://evil.test' }, 'invalid_siwe_uri'],
  [{ uri: 'https://lapwing.test.evil.test/' }, 'invalid_siwe_uri'],
  [{ uri: 'https://evil.test@lapwing.test/' }, 'invalid_siwe_uri'],
  [{ uri: 'http://lapwing.test' }, 'invalid_siwe_uri'],
  [{ uri: `${origin}\nNonce: 1` }, 'invalid_siwe_uri'],
  [{ uri: '' }, 'invalid_siwe_uri'],
  [{ statement: 'One.\nURI: https://evil.test' }, 'invalid_siwe_statement'],
  [{ statement: '' }, 'invalid_siwe_statement'],
  [{ statement: 'Grüße' }, 'invalid_siwe_statement'],
  [{ chain_id: '0' }, 'invalid_siwe_chain_id'],
  [{ chain_id: '-1' }, 'invalid_siwe_chain_id'],
  [{ chain_id: '0x1' }, 'invalid_siwe_chain_id'],
  [{ chain_id: '1\nNonce: 2' }, 'invalid_siwe_chain_id'],
  [{ message_request_id: 'a\nb' }, 'invalid_siwe_message_request_id'],
  [{ message_request_id: '' }, 'invalid_siwe_message_request_id'],
  [{ resources: ['no uri'] }, 'invalid_siwe_resource'],
  [{ resources: ['https://a.test/\n- https://b.test'] }, 'invalid_siwe_resource'],
  [{ issued_at: 'yesterday' }, 'bad_request'],
  [{ issued_at: '2026-02-30T99:00:00Z' }, 'bad_request'],
  [{ not_before: '2026-03-01' }, 'bad_request'],
] as const) {
  test(`rejects siwe_params of ${JSON.stringify(params)}`, async () => {
    const answer = await ways.startWallet(newWallet('ethereum'), { siwe_params: params })
    assert.deepEqual([answer.status, answer.error], [400, error])
  })
}

test('refuses a signature before the time that the page asked for', async () => {
  const wallet = newWallet('ethereum')
  const notBefore = new Date(service.now().getTime() + 60_000).toISOString()
  const signature = await wallet.sign(await challengeFor(wallet, { siwe_params: { not_before: notBefore } }))
  const early = await ways.useWallet(wallet, signature)
  assert.deepEqual([early.status, early.error], [401, 'siwe_message_not_valid_yet'])
  service.advance(60_000)
  assert.equal((await ways.useWallet(wallet, signature)).status, 200)
})

test('accepts an address of Ethereum in any case, as one account', async () => {
  const wallet = newWallet('ethereum')
  const { address } = wallet
  const spellings = [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]
  const userIds = new Set<string>()
  for (const one of spellings) {
    for (const other of spellings) {
      const text = await challengeFor({ ...wallet, address: one })
      assert.ok(text.includes(address), 'the text has the checksum')
      const answer = await ways.useWallet({ ...wallet, address: other }, await wallet.sign(text))
      assert.equal(answer.data.user.crypto_wallets[0].crypto_wallet_address, address)
      userIds.add(answer.data.user_id)
    }
  }
  assert.equal(userIds.size, 1)
})

const ethereumAddress = newWallet('ethereum').address
const solanaAddress = newWallet('solana').address

for (const [type, address, error] of [
  ['ethereum', '0x1', 'invalid_crypto_wallet_address'],
  ['ethereum', '', 'invalid_crypto_wallet_address'],
  ['ethereum', ethereumAddress.slice(2), 'invalid_crypto_wallet_address'],
  ['ethereum', `${ethereumAddress}0`, 'invalid_crypto_wallet_address'],
  ['ethereum', ethereumAddress.replace(/.$/, 'g'), 'invalid_crypto_wallet_address'],
  ['ethereum', ` ${ethereumAddress}`, 'invalid_crypto_wallet_address'],
  ['ethereum', `${ethereumAddress}\n`, 'invalid_crypto_wallet_address'],
  ['ethereum', solanaAddress, 'invalid_crypto_wallet_address'],
  ['solana', ethereumAddress, 'invalid_crypto_wallet_address'],
  ['solana', '', 'invalid_crypto_wallet_address'],
  ['solana', 'So1', 'invalid_crypto_wallet_address'],
  ['solana', `${solanaAddress.slice(0, -1)}0`, 'invalid_crypto_wallet_address'],
  ['solana', `1${solanaAddress}`, 'invalid_crypto_wallet_address'],
  ['solana', '1'.repeat(44), 'invalid_crypto_wallet_address'],
  ['solana', 'z'.repeat(1_000), 'invalid_crypto_wallet_address'],
  ['bitcoin', ethereumAddress, 'invalid_wallet_type'],
  ['', ethereumAddress, 'invalid_wallet_type'],
  ['Ethereum', ethereumAddress, 'invalid_wallet_type'],
] as const) {
  test(`rejects ${JSON.stringify(address.slice(0, 50))} as a wallet of kind "${type}"`, async () => {
    const wallet = { type: type as TestWallet['type'], address }
    for (const answer of [await ways.startWallet(wallet), await ways.useWallet(wallet, '0x00')]) {
      assert.deepEqual([answer.status, answer.error], [400, error])
    }
  })
}

test('answers a schema error for members that are no texts', async () => {
  const body = { crypto_wallet_type: 'ethereum', crypto_wallet_address: ethereumAddress, signature: '0x00' }
  for (const [operationId, path] of [
    ['startWallet', '/start/primary'],
    ['authenticateWallet', ''],
  ] as const) {
    for (const name of Object.keys(body).filter(name => path === '' || name !== 'signature')) {
      for (const value of [7, null, [], {}]) {
        const answer = await service.call(operationId, `/sdk/v1/crypto_wallets/authenticate${path}`, {
          body: { ...body, [name]: value },
        })
        assert.equal(answer.status, 400)
        assert.match(answer.body.body[0].message, /must be a string/, name)
      }
    }
  }
})

test('refuses siwe_params for a wallet of Solana', async () => {
  const answer = await ways.startWallet(newWallet('solana'), { siwe_params: { uri: origin } })
  assert.deepEqual([answer.status, answer.error], [400, 'crypto_wallet_type_incompatible_with_siwe'])
})

/** Returns another signature of the same text and key, as everybody can compute it. */
function withHighS(signature: string): string {
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const s = secp256k1.Point.CURVE().n - BigInt(`0x${bytes.subarray(32, 64).toString('hex')}`)
  const v = bytes[64] === 27 ? 28 : 27
  return `0x${bytes.subarray(0, 32).toString('hex')}${s.toString(16).padStart(64, '0')}${v.toString(16)}`
}

for (const [what, type, change, error] of [
  ['a high s', 'ethereum', withHighS, 'invalid_signature'],
  ['an r of 0', 'ethereum', (text: string) => `0x${'0'.repeat(64)}${text.slice(66)}`, 'invalid_signature'],
  ['an unknown recovery id', 'ethereum', (text: string) => `${text.slice(0, -2)}1d`, 'invalid_signature'],
  ['no 0x', 'ethereum', (text: string) => text.slice(2), 'invalid_signature'],
  ['another letter', 'ethereum', (text: string) => text.replace(/.$/, 'x'), 'invalid_signature'],
  ['a line break', 'ethereum', (text: string) => `${text}\n`, 'invalid_signature'],
  ['a byte less', 'ethereum', (text: string) => text.slice(0, -2), 'signature_is_incorrect_size'],
  ['a byte more', 'ethereum', (text: string) => `${text}00`, 'signature_is_incorrect_size'],
  ['half a byte more', 'ethereum', (text: string) => `${text}0`, 'signature_is_incorrect_size'],
  ['a digit 0, which base58 lacks', 'solana', (text: string) => text.replace(/.$/, '0'), 'invalid_signature'],
  [
    'hex',
    'solana',
    (text: string) => `0x${Buffer.from(base58.decode(text)).toString('hex')}`,
    'invalid_signature',
  ],
  ['nothing', 'solana', () => '', 'invalid_signature'],
  ['a byte more in front', 'solana', (text: string) => `1${text}`, 'signature_is_incorrect_size'],
  [
    'a byte less',
    'solana',
    (text: string) => base58.encode(base58.decode(text).subarray(1)),
    'signature_is_incorrect_size',
  ],
  ['two thousand letters', 'solana', () => 'z'.repeat(2_000), 'signature_is_incorrect_size'],
] as const) {
  test(`rejects a signature of ${type} with ${what}`, async () => {
    const wallet = newWallet(type)
    const signature = await wallet.sign(await challengeFor(wallet))
    const answer = await ways.useWallet(wallet, change(signature))
    assert.deepEqual([answer.status, answer.error], [400, error])
    assert.equal((await ways.useWallet(wallet, signature)).status, 200)
  })
}

test('accepts the recovery ids of hardware wallets', async () => {
  const wallet = newWallet('ethereum')
  const signature = await wallet.sign(await challengeFor(wallet))
  const v = Number.parseInt(signature.slice(-2), 16) - 27
  assert.equal((await ways.useWallet(wallet, `${signature.slice(0, -2)}0${v}`)).status, 200)
})

test('signs nobody in with a weak key of Solana, for which everybody can sign', async () => {
  for (const key of [
    new Uint8Array(32),
    Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 1 : 0)),
  ]) {
    const wallet = { type: 'solana', address: base58.encode(key) } as const
    await ways.startWallet(wallet)
    for (const r of [key, Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 1 : 0))]) {
      const signature = new Uint8Array(64)
      signature.set(r)
      assert.deepEqual(pick(await ways.useWallet(wallet, base58.encode(signature))), refusal)
    }
  }
})

test('needs no text of Sign-In with Ethereum where an operator turns it off', async t => {
  const other = await harness({}, { SIWE_REQUIRED: 'false', WALLET_TYPES: 'ethereum' })
  t.after(() => other.close())
  const own = waysIn(other)
  const { data: settings } = await other.call(
    'getBootstrap',
    '/sdk/v1/projects/bootstrap/public-token-live-lapwing',
    { method: 'GET' },
  )
  assert.deepEqual([settings.siwe_required_for_crypto_wallets, settings.wallet_types], [false, ['ethereum']])
  const wallet = newWallet('ethereum')
  const { data } = await own.startWallet(wallet)
  assert.doesNotMatch(data.challenge, /Chain ID/)
  assert.match(
    data.challenge,
    new RegExp(`^lapwing\\.test wants you to sign in.*${wallet.address}.*Nonce: `, 's'),
  )
  assert.equal((await own.useWallet(wallet, await wallet.sign(data.challenge))).status, 200)
  assert.equal((await own.startWallet(newWallet('solana'))).error, 'invalid_wallet_type')
})

test('refuses the calls if an operator offers no wallets', async t => {
  const other = await harness({}, { WALLET_TYPES: 'none' })
  t.after(() => other.close())
  const own = waysIn(other)
  const wallet = newWallet('ethereum')
  const { token } = await other.signUp('no.wallets@example.com')
  for (const answer of [
    await own.startWallet(wallet),
    await own.startWalletInSession(wallet, token),
    await own.useWallet(wallet, await wallet.sign('x')),
  ]) {
    assert.deepEqual([answer.status, answer.error], [401, 'endpoint_not_authorized_for_sdk'])
  }
})

test('adds no wallet while the address is unproved, without a session or above ten', async () => {
  const wallet = newWallet('ethereum')
  const { token } = await service.signUp('unproved.wallet@example.com')
  assert.equal((await ways.startWalletInSession(wallet, token)).error, 'unauthorized_action')
  assert.equal((await ways.startWalletInSession(wallet, 'no-session')).error, 'session_not_found')
  const { token: proved } = await signUpProved('ten.wallets@example.com')
  let as = proved
  // Prepared before the account is full.
  const eleventh = newWallet('solana')
  const { data: prepared } = await ways.startWalletInSession(eleventh, as)
  for (let count = 0; count < MAX_WALLETS; count++) {
    as = (await ways.addWallet(newWallet('ethereum'), as)).data.session_token
  }
  const refused = await ways.startWalletInSession(newWallet('ethereum'), as)
  assert.deepEqual([refused.status, refused.error], [403, 'unauthorized_action'])
  const signature = await eleventh.sign(prepared.challenge)
  assert.equal((await ways.useWallet(eleventh, signature, as)).error, 'unauthorized_action')
})

test('keeps a wallet as the last way in, and refuses to remove it', async () => {
  const { data } = await ways.enterByWallet(newWallet('solana'))
  const id = data.user.crypto_wallets[0].crypto_wallet_id
  const last = await remove(data.session_token, id)
  assert.deepEqual([last.status, last.error], [400, 'cannot_delete_last_factor'])
  const added = await ways.addWallet(newWallet('ethereum'), data.session_token)
  assert.deepEqual((await remove(added.data.session_token, id)).data.__user.crypto_wallets.length, 1)
})

test('is one factor of an account with an authenticator app, and changes nothing alone', async () => {
  const { token: withApp, userId, app } = await ways.signUpWithApp('wallet.and.app@example.com')
  await service.db.updateTable('email').set({ verified: true }).where('user_id', '=', userId).execute()
  const wallet = newWallet('ethereum')
  const added = await ways.addWallet(wallet, withApp)
  assert.equal(added.status, 200)
  const half = await ways.enterByWallet(wallet)
  assert.equal(await ways.isAccepted(half.data.session_jwt), false)
  const as = half.data.session_token
  assert.equal((await ways.startWalletInSession(newWallet('solana'), as)).error, 'insufficient_factors')
  const id = half.data.user.crypto_wallets[0].crypto_wallet_id
  assert.equal((await remove(as, id)).error, 'insufficient_factors')
  const whole = await ways.typeCode(as, app.code())
  assert.ok(await ways.isAccepted(whole.data.session_jwt))
  assert.equal((await remove(whole.data.session_token, id)).status, 200)
})

test('adds the factor of a wallet that the person has to their session, without a mail', async () => {
  const email = 'own.wallet@example.com'
  const { token, sessionId } = await signUpProved(email)
  const wallet = newWallet('solana')
  await ways.addWallet(wallet, token)
  const { data: fresh } = await ways.signIn(email)
  assert.notEqual(fresh.session.session_id, sessionId)
  const joined = await ways.addWallet(wallet, fresh.session_token)
  assert.equal(joined.data.session.session_id, fresh.session.session_id)
  assert.deepEqual(factorsOf(joined), ['password', 'crypto'])
  assert.equal(joined.data.user.crypto_wallets.length, 1)
  const kinds = (await service.mailsTo(email)).map(({ kind }) => kind)
  assert.equal(kinds.filter(kind => kind === 'wallet_added').length, 1)
})

test('adds a wallet to an old session and continues it, but a sign-in begins a new one', async () => {
  const { token, sessionId } = await signUpProved('old.session.wallet@example.com')
  const { data } = await service.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
    as: token,
    body: { session_duration_minutes: 2_880 },
  })
  service.advance(25 * 3_600_000)
  const wallet = newWallet('ethereum')
  const added = await ways.addWallet(wallet, data.session_token)
  assert.equal(added.data.session.session_id, sessionId)
  const entered = await ways.enterByWallet(wallet, { as: added.data.session_token })
  assert.equal(entered.data.session.started_at, service.now().toISOString())
})

test('drops the challenges of a person when the account is locked or the password changes', async () => {
  const { token, userId } = await signUpProved('drops.challenges@example.com')
  const wallet = newWallet('ethereum')
  const { data } = await ways.startWalletInSession(wallet, token)
  await service.deps.change(work => lockUser(work, userId, true))
  await service.deps.change(work => lockUser(work, userId, false))
  const { data: again } = await ways.signIn('drops.challenges@example.com')
  const signature = await wallet.sign(data.challenge)
  assert.deepEqual(pick(await ways.useWallet(wallet, signature, again.session_token)), refusal)
})

test('stores the newest challenges of a network only, and compares the newest of a wallet', async t => {
  const other = await harness()
  t.after(() => other.close())
  const own = waysIn(other)
  const ip = '192.0.2.60'
  const wallet = newWallet('ethereum')
  const start = async (one: TestWallet) => (await own.startWallet(one, {}, ip)).data.challenge as string
  const signatures = []
  for (let count = 0; count <= MAX_COMPARED; count++) {
    signatures.push(await wallet.sign(await start(wallet)))
    other.advance(1_000)
  }
  const use = async (signature: string) => (await own.useWallet(wallet, signature, undefined, ip)).status
  assert.equal(await use(signatures[0]!), 401)
  assert.equal(await use(signatures[1]!), 200)
  const pending = await wallet.sign(await start(wallet))
  for (let turn = 0; turn < 2; turn++) {
    other.advance(61_000)
    await Promise.all(Array.from({ length: MAX_STORED }, () => start(newWallet('solana'))))
  }
  const stored = await other.db.selectFrom('wallet_challenge').select('nonce').execute()
  assert.equal(stored.length, MAX_STORED)
  assert.equal(await use(pending), 401, 'others on the network can only make their neighbours start again')
  const elsewhere = newWallet('solana')
  assert.equal((await own.enterByWallet(elsewhere)).status, 200)
  other.advance(11 * 60_000)
  await sweep(other.deps)
  assert.deepEqual(await other.db.selectFrom('wallet_challenge').select('nonce').execute(), [])
})

test('gives a browser that signed in with the wallet challenges of its own', async () => {
  const wallet = newWallet('ethereum')
  const ip = '192.0.2.61'
  const entered = await ways.enterByWallet(wallet, { ip })
  const cookie = String([entered.headers['set-cookie']].flat()[0]).split(';')[0]!
  const body = { crypto_wallet_type: wallet.type, crypto_wallet_address: wallet.address }
  const headers = { cookie }
  const started = await service.call('startWallet', '/sdk/v1/crypto_wallets/authenticate/start/primary', {
    body,
    headers,
    ip,
  })
  // Strangers on the same network ask for the same wallet until they are refused.
  let refused = 0
  for (let count = 0; count < 25; count++) {
    if ((await ways.startWallet(wallet, {}, ip)).error === 'too_many_requests') refused++
  }
  assert.equal(refused, 25 - 18, 'twenty a minute for one wallet and network, two of them by the owner')
  const signature = await wallet.sign(started.data.challenge)
  const answer = await service.call('authenticateWallet', '/sdk/v1/crypto_wallets/authenticate', {
    body: { ...body, signature },
    headers,
    ip,
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
})

test('answers too_many_requests after sixty requests of one network for any wallets', async () => {
  const ip = '192.0.2.62'
  const answers = []
  for (let count = 0; count < 61; count++) answers.push(await ways.startWallet(newWallet('solana'), {}, ip))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [...Array(60).fill(200), 429],
  )
  assert.ok(Number(answers[60]!.headers['retry-after']) <= 60)
  assert.equal((await ways.startWallet(newWallet('solana'))).status, 200, 'another network')
})

test('stores nothing for a refused start', async () => {
  const before = await countChallenges()
  await ways.startWallet({ type: 'ethereum', address: '0x1' })
  await ways.startWallet(newWallet('ethereum'), { siwe_params: { uri: 'https://evil.test' } })
  await ways.startWalletInSession(newWallet('ethereum'), 'no-session')
  assert.equal(await countChallenges(), before)
})
