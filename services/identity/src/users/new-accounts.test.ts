import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { goodPassword, type Harness, harness, linkIn } from '../test/harness.ts'
import { newWallet } from '../test/wallets.ts'
import { waysIn } from '../test/ways-in.ts'
import { issueToken } from '../tokens/token.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const randomEmail = () => `${randomUUID()}@example.com`

/** The ways to create an account. */
const ways = {
  async password(ip: string) {
    return service.call('createPassword', '/sdk/v1/passwords', {
      body: { email: randomEmail(), password: goodPassword },
      ip,
    })
  },
  async code(ip: string) {
    const email = randomEmail()
    const sent = await service.call('sendEmailCodeOrCreate', '/sdk/v1/otps/email/login_or_create', {
      body: { email },
    })
    const [mail] = await service.mailsTo(email)
    return service.call('authenticateCode', '/sdk/v1/otps/authenticate', {
      body: { token: /\b\d{6}\b/.exec(mail!.text)![0], method_id: sent.data.method_id },
      ip,
    })
  },
  async link(ip: string) {
    const email = randomEmail()
    await service.call('sendMagicLinkOrCreate', '/sdk/v1/magic_links/email/login_or_create', {
      body: { email },
    })
    const [mail] = await service.mailsTo(email)
    return open(linkIn(mail!).searchParams.get('token')!, ip)
  },
  async provider(ip: string) {
    const profile = { subject: randomUUID(), email: null, emailVerified: false, pictureUrl: '', locale: '' }
    const token = await service.deps.change(work =>
      issueToken(work, {
        kind: 'oauth',
        userId: null,
        data: { provider: 'google', profile },
        codeChallenge: undefined,
        minutes: 5,
      }),
    )
    return service.call('authenticateOAuth', '/sdk/v1/oauth/authenticate', { body: { token }, ip })
  },
  wallet: (ip: string) => waysIn(service).enterByWallet(newWallet('solana'), { ip }),
}

const open = (token: string, ip: string) =>
  service.call('authenticateMagicLink', '/sdk/v1/magic_links/authenticate', { body: { token }, ip })

test('creates at most twenty accounts an hour from one network, in all ways together', async () => {
  const ip = '192.0.2.80'
  for (let turn = 0; turn < 4; turn++) {
    for (const [name, signUp] of Object.entries(ways)) assert.equal((await signUp(ip)).status, 200, name)
  }
  for (const [name, signUp] of Object.entries(ways)) {
    const { status, error, headers } = await signUp(ip)
    assert.deepEqual([status, error], [429, 'too_many_requests'], name)
    const seconds = Number(headers['retry-after'])
    assert.ok(seconds > 60 && seconds <= 3_600, `${name}: ${seconds}`)
  }
  assert.equal((await ways.password('192.0.2.81')).status, 200, 'another network')
  service.advance(3_600_000)
  assert.equal((await ways.password(ip)).status, 200, 'an hour later')
})

test('counts an IPv6 /64 as one network, and still accepts sign-ins from it', async () => {
  const email = randomEmail()
  await service.signUp(email)
  for (let turn = 0; turn < 20; turn++) {
    assert.equal((await ways.password(`2001:db8:7:1::${turn.toString(16)}`)).status, 200)
  }
  const ip = '2001:db8:7:1:ffff::1'
  assert.equal((await ways.password(ip)).error, 'too_many_requests')
  assert.equal((await ways.password('2001:db8:7:2::1')).status, 200)
  const signedIn = await service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
    body: { email, password: goodPassword },
    ip,
  })
  assert.equal(signedIn.status, 200)
})

test('creates no account for a refused sign-up, and leaves its link usable elsewhere', async () => {
  const ip = '192.0.2.82'
  for (let turn = 0; turn < 20; turn++) await ways.password(ip)
  const email = randomEmail()
  await service.call('sendMagicLinkOrCreate', '/sdk/v1/magic_links/email/login_or_create', {
    body: { email },
  })
  const [mail] = await service.mailsTo(email)
  const token = linkIn(mail!).searchParams.get('token')!
  assert.equal((await open(token, ip)).error, 'too_many_requests')
  const search = await service.call('searchUser', '/sdk/v1/users/search', { body: { email } })
  assert.equal(search.data.userType, 'new')
  assert.equal((await open(token, '192.0.2.83')).status, 200)
})

test('answers the same for a taken address above the limit', async () => {
  const ip = '192.0.2.84'
  const email = randomEmail()
  await service.signUp(email)
  for (let turn = 0; turn < 20; turn++) await ways.password(ip)
  const taken = await service.call('createPassword', '/sdk/v1/passwords', {
    body: { email, password: goodPassword },
    ip,
  })
  assert.equal(taken.error, 'too_many_requests')
})

test('accepts exactly the allowed number of twenty-five concurrent sign-ups from one network', async t => {
  const few = await harness({}, { NEW_ACCOUNTS_PER_HOUR: '3' })
  t.after(() => few.close())
  const answers = await Promise.all(
    Array.from({ length: 25 }, () =>
      few.call('createPassword', '/sdk/v1/passwords', {
        body: { email: randomEmail(), password: goodPassword },
        ip: '192.0.2.85',
      }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 3)
  const people = await few.db.selectFrom('person').select('user_id').execute()
  assert.equal(people.length, 3)
})
