import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CallOptions, goodPassword, type Harness, harness } from '../test/harness.ts'
import { waysIn } from '../test/ways-in.ts'

let service: Harness
let ways: ReturnType<typeof waysIn>

before(async () => {
  service = await harness()
  ways = waysIn(service)
})

after(() => service.close())

const CALLS = {
  sms: {
    login_or_create: 'sendSmsCodeOrCreate',
    'send/primary': 'sendSmsCode',
    'send/secondary': 'sendSmsCodeInSession',
  },
  whatsapp: {
    login_or_create: 'sendWhatsappCodeOrCreate',
    'send/primary': 'sendWhatsappCode',
    'send/secondary': 'sendWhatsappCodeInSession',
  },
} as const

type Channel = keyof typeof CALLS
type Path = keyof (typeof CALLS)['sms']

const request = (
  phone_number: string,
  options: CallOptions & { channel?: Channel; path?: Path; more?: object; of?: Harness } = {},
) => {
  const { channel = 'sms', path = 'login_or_create', more, of = service, ...call } = options
  return of.call(CALLS[channel][path], `/sdk/v1/otps/${channel}/${path}`, {
    body: { phone_number, ...more },
    ...call,
  })
}
const add = (number: string, as: string, channel: Channel = 'sms') =>
  request(number, { as, channel, path: 'send/secondary' })
const type = (code: unknown, methodId: string, as?: string, ip?: string) =>
  service.call('authenticateCode', '/sdk/v1/otps/authenticate', {
    body: { token: code, method_id: methodId, session_duration_minutes: 60 },
    ...(as !== undefined && { as }),
    ...(ip !== undefined && { ip }),
  })
const remove = (id: string, as: string) =>
  service.call('deletePhoneNumber', `/sdk/v1/users/phone_numbers/${id}`, { method: 'DELETE', as })

let numbers = 0
/** Returns the number of a mobile phone that no other test uses. */
const newNumber = () => `+49151${String(20_000_000 + numbers++)}`

async function codeFor(number: string, of = service): Promise<string> {
  return (await of.textsTo(number)).findLast(({ code }) => code !== null)!.code!
}

/** Signs in a person with a code by text. */
async function enter(number: string) {
  const { data } = await request(number)
  return (await type(await codeFor(number), data.method_id)).data
}

/** Adds a number to the session's account. Returns the session's new token. */
async function addTo(number: string, as: string): Promise<string> {
  const { data } = await add(number, as)
  const answer = await type(await codeFor(number), data.method_id, as)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.data.session_token
}

/** Creates an account whose address is proved. */
async function signUpProved(email: string) {
  const person = await service.signUp(email)
  await service.db.updateTable('email').set({ verified: true }).where('address', '=', email).execute()
  return person
}

const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

for (const channel of ['sms', 'whatsapp'] as const) {
  test(`creates an account with a code by ${channel}, and signs in to it again`, async () => {
    const number = newNumber()
    const sent = await request(number, { channel })
    const { status, data } = await type(await codeFor(number), sent.data.method_id)
    assert.equal(status, 200)
    assert.equal(data.method_id, sent.data.method_id)
    const [phone] = data.user.phone_numbers
    assert.deepEqual([phone.phone_number, phone.verified], [number, true])
    assert.match(phone.phone_id, /^phone-number-live-/)
    const [factor] = data.session.authentication_factors
    assert.deepEqual([factor.type, factor.delivery_method], ['otp', channel])
    assert.deepEqual(factor.phone_number_factor, { phone_id: phone.phone_id, phone_number: number })
    assert.ok(await ways.isAccepted(data.session_jwt))
    service.advance(60_000)
    const again = await request(number, { channel, path: 'send/primary' })
    const second = await type(await codeFor(number), again.data.method_id)
    assert.equal(second.data.user_id, data.user_id)
    assert.equal((await service.textsTo(number)).at(-1)!.channel, channel)
  })
}

test('refuses codes by a channel without a configured provider', async t => {
  const bare = await harness(
    {},
    { TEXT_API_URL: '', TEXT_API_CREDENTIALS: '', SMS_SENDER: '', WHATSAPP_SENDER: '' },
  )
  t.after(() => bare.close())
  const smsOnly = await harness({}, { WHATSAPP_SENDER: '' })
  t.after(() => smsOnly.close())
  for (const [of, channels] of [
    [bare, ['sms', 'whatsapp']],
    [smsOnly, ['whatsapp']],
  ] as const) {
    for (const channel of channels) {
      for (const path of ['login_or_create', 'send/primary', 'send/secondary'] as const) {
        const { status, error, body } = await request('+4915112345678', { of, channel, path })
        assert.deepEqual([status, error], [401, 'endpoint_not_authorized_for_sdk'])
        assert.equal(body.error_message, 'This call is not enabled here.')
      }
    }
  }
  const bootstrap = async (of: Harness) =>
    (
      await of.call('getBootstrap', '/sdk/v1/projects/bootstrap/public-token-live-lapwing', {
        method: 'GET',
      })
    ).data.phone_codes
  assert.deepEqual(await bootstrap(bare), { channels: [], countries: [] })
  assert.deepEqual(await bootstrap(smsOnly), { channels: ['sms'], countries: ['DE', 'US'] })
})

test('answers the protocol’s errors for numbers that get no texts', async () => {
  for (const [number, error] of [
    ['4915112345678', 'invalid_phone_number'],
    ['+4930901820', 'invalid_phone_number'],
    ['+5511961234567', 'invalid_phone_number_country_code'],
  ] as const) {
    const answer = await request(number)
    assert.deepEqual([answer.status, answer.error], [400, error])
  }
  const { error } = await request(newNumber(), { more: { expiration_minutes: 11 } })
  assert.equal(error, 'invalid_expiration_minutes')
})

test('answers the same for a number with and without an account, and creates none for a sign-in', async () => {
  const known = newNumber()
  await enter(known)
  service.advance(60_000)
  const form = /^phone-number-live-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  for (const path of ['login_or_create', 'send/primary'] as const) {
    for (const number of [known, newNumber()]) {
      const { status, data } = await request(number, { path })
      assert.equal(status, 200)
      assert.match(data.method_id, form)
      assert.deepEqual(Object.keys(data).toSorted(), ['method_id', 'request_id', 'status_code'])
    }
    service.advance(60_000)
  }
  const unknown = newNumber()
  const { data } = await request(unknown, { path: 'send/primary' })
  const [text] = await service.textsTo(unknown)
  assert.deepEqual([text!.kind, text!.code], ['no_account', null])
  assert.equal((await type('000000', data.method_id)).error, 'otp_code_not_found')
})

test('seals every text to the same size', async () => {
  const known = newNumber()
  await enter(known)
  service.advance(60_000)
  for (const path of ['login_or_create', 'send/primary'] as const) {
    await request(newNumber(), { path })
    await request(known, { path, more: { enable_autofill: true } })
    service.advance(60_000)
  }
  const rows = await service.db.selectFrom('text_outbox').select('content_sealed').execute()
  assert.equal(new Set(rows.map(row => row.content_sealed!.length)).size, 1)
})

test('writes texts that fit into one SMS, and a line for autofill on request', async () => {
  const number = newNumber()
  await request(number, { more: { enable_autofill: true, expiration_minutes: 10 } })
  const [text] = await service.textsTo(number)
  assert.ok(text!.words.endsWith(`\n\n@lapwing.test #${text!.code}`), text!.words)
  const { token } = await signUpProved('texts@example.com')
  const added = newNumber()
  await add(added, token)
  const [adding] = await service.textsTo(added)
  assert.match(adding!.words, /adds this number to the Lapwing account in which you are signed in/)
  for (const { words } of [text!, adding!]) {
    assert.ok(words.length <= 160, `${words.length} characters`)
    // The alphabet of GSM, in which a text has 160 characters instead of 70.
    assert.match(words, /^[\w\s.,:#@-]+$/)
  }
})

test('sends one text a minute to a number from all requesters and channels together', async () => {
  const number = newNumber()
  const first = await request(number, { ip: '192.0.2.10' })
  assert.equal((await request(number, { ip: '192.0.2.10' })).data.method_id, first.data.method_id)
  const ids = new Set([first.data.method_id])
  for (const channel of ['sms', 'whatsapp'] as const) {
    for (const path of ['login_or_create', 'send/primary'] as const) {
      const { status, data } = await request(number, { channel, path })
      assert.equal(status, 200)
      // Made up, so that nobody learns of the other request.
      assert.ok(!ids.has(data.method_id))
    }
  }
  const { token } = await signUpProved('spaced@example.com')
  const told = await add(number, token)
  assert.deepEqual([told.status, told.error], [429, 'too_many_requests'])
  assert.equal(told.headers['retry-after'], '60')
  assert.equal((await service.textsTo(number)).length, 1)
  service.advance(59_999)
  await request(number)
  assert.equal((await service.textsTo(number)).length, 1)
  service.advance(1)
  await request(number)
  assert.equal((await service.textsTo(number)).length, 2)
})

test('sends ten texts a day to a number, and ten more to its owner’s network', async () => {
  const number = newNumber()
  const home = '192.0.2.11'
  const { data } = await request(number, { ip: home })
  await type(await codeFor(number), data.method_id, undefined, home)
  const count = async () => (await service.textsTo(number)).length
  for (let turn = 0; turn < 15; turn++) {
    service.advance(61_000)
    await request(number)
  }
  // The first one was requested by a stranger, too.
  assert.equal(await count(), 10)
  service.advance(61_000)
  const { data: own } = await request(number, { ip: home })
  assert.equal(await count(), 11)
  assert.equal((await type(await codeFor(number), own.method_id, undefined, home)).status, 200)
  service.advance(24 * 60 * 60_000)
  await request(number)
  assert.equal(await count(), 12)
})

test('refuses more texts than a network may request in an hour, and than all may in a day', async t => {
  const small = await harness({}, { TEXTS_PER_NETWORK_PER_HOUR: '3', TEXTS_PER_DAY: '5' })
  t.after(() => small.close())
  const from = { of: small, ip: '192.0.2.12' }
  for (let turn = 0; turn < 3; turn++) assert.equal((await request(newNumber(), from)).status, 200)
  const network = await request(newNumber(), from)
  assert.deepEqual([network.status, network.error], [429, 'too_many_requests'])
  assert.equal(network.headers['retry-after'], '3600')
  for (let turn = 0; turn < 2; turn++) assert.equal((await request(newNumber(), { of: small })).status, 200)
  const day = await request(newNumber(), { of: small })
  assert.deepEqual([day.status, day.error], [429, 'too_many_requests'])
  assert.equal(day.headers['retry-after'], String(24 * 3_600))
  const { texts } = await small.db
    .selectFrom('text_outbox')
    .select(({ fn }) => fn.countAll<string>().as('texts'))
    .executeTakeFirstOrThrow()
  assert.equal(texts, '5')
  small.advance(24 * 60 * 60_000)
  assert.equal((await request(newNumber(), { of: small })).status, 200)
})

test('sends exactly one of twenty concurrent requests for one number', async () => {
  const number = newNumber()
  const answers = await Promise.all(Array.from({ length: 20 }, () => request(number)))
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal((await service.textsTo(number)).length, 1)
})

test('compares five tries a network and twenty-five in all; then the code is dead', async () => {
  const number = newNumber()
  const { data } = await request(number)
  const code = await codeFor(number)
  const wrong = wrongCode(code)
  await Promise.all(Array.from({ length: 20 }, () => type(wrong, data.method_id, undefined, '192.0.2.13')))
  assert.equal((await type(code, data.method_id, undefined, '192.0.2.13')).error, 'otp_code_not_found')
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      type(wrong, data.method_id, undefined, `192.0.2.${20 + (index % 8)}`),
    ),
  )
  assert.equal((await type(code, data.method_id)).error, 'otp_code_not_found')
})

test('never locks the owner out by what strangers request and type', async () => {
  const number = newNumber()
  const home = '192.0.2.14'
  const { data: first } = await request(number, { ip: home })
  const { data: person } = await type(await codeFor(number), first.method_id, undefined, home)
  for (let turn = 0; turn < 12; turn++) {
    service.advance(30_000)
    const { data } = await request(number)
    for (let tries = 0; tries < 26; tries++) await type('000000', data.method_id)
  }
  const { data } = await request(number, { ip: home })
  const { data: signedIn } = await type(await codeFor(number), data.method_id, undefined, home)
  assert.equal(signedIn.user_id, person.user_id)
})

test('rejects a code after its minutes, and accepts one of five concurrent right tries', async () => {
  const late = newNumber()
  const { data } = await request(late, { more: { expiration_minutes: 2 } })
  service.advance(2 * 60_000)
  assert.equal((await type(await codeFor(late), data.method_id)).error, 'unable_to_auth_otp_code')
  const once = newNumber()
  const { data: sent } = await request(once)
  const code = await codeFor(once)
  const answers = await Promise.all(Array.from({ length: 5 }, () => type(code, sent.method_id)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401, 401, 401])
})

test('adds a number to the account of the session that requested the code, and mails its owner', async () => {
  const email = 'adds.phone@example.com'
  const { token, userId } = await signUpProved(email)
  const number = newNumber()
  const { data } = await add(number, token, 'whatsapp')
  const added = await type(await codeFor(number), data.method_id, token)
  assert.equal(added.data.user_id, userId)
  assert.equal(added.data.user.phone_numbers[0].phone_number, number)
  const kinds = (await service.mailsTo(email)).map(({ kind }) => kind)
  assert.ok(kinds.includes('phone_added'))
  service.advance(60_000)
  assert.equal((await enter(number)).user_id, userId)
  // Proved again in the same account: nothing changes.
  service.advance(60_000)
  const again = await add(number, added.data.session_token)
  const same = await type(await codeFor(number), again.data.method_id, added.data.session_token)
  assert.equal(same.data.user.phone_numbers.length, 1)
})

test('accepts a code that adds a number only in a session of the person who requested it', async () => {
  const asker = await signUpProved('phone.asker@example.com')
  const stranger = await signUpProved('phone.stranger@example.com')
  const number = newNumber()
  const { data: asked } = await add(number, asker.token)
  const code = await codeFor(number)
  service.advance(60_000)
  // The owner of the phone requests a sign-in: another code with another id.
  const { data: own } = await request(number)
  assert.notEqual(own.method_id, asked.method_id)
  for (const as of [undefined, stranger.token]) {
    const { status, error } = await type(code, asked.method_id, as)
    assert.deepEqual([status, error], [404, 'otp_code_not_found'])
  }
  const { data: owner } = await type(await codeFor(number), own.method_id)
  assert.notEqual(owner.user_id, asker.userId)
  // The number now belongs to another account.
  assert.equal((await type(code, asked.method_id, asker.token)).error, 'unable_to_auth_otp_code')
})

test('adds no number while an address of the account is unproved, nor an eleventh', async () => {
  const { token } = await service.signUp('unproved.phone@example.com')
  const refused = await add(newNumber(), token)
  assert.deepEqual([refused.status, refused.error], [403, 'unauthorized_action'])
  assert.match(refused.body.error_message, /verify your email address/)
  let session = (await signUpProved('ten.phones@example.com')).token
  for (let turn = 0; turn < 10; turn++) session = await addTo(newNumber(), session)
  const eleventh = await add(newNumber(), session)
  assert.deepEqual([eleventh.status, eleventh.error], [403, 'unauthorized_action'])
  assert.match(eleventh.body.error_message, /can have 10 phone numbers/)
})

test('drops codes if the password changes, or a number or another way in is removed', async () => {
  const email = 'phone.drops@example.com'
  const { token } = await signUpProved(email)
  const number = newNumber()
  let session = await addTo(number, token)
  service.advance(60_000)
  const { data: before } = await request(number)
  const code = await codeFor(number)
  const reset = await service.call('resetPasswordBySession', '/sdk/v1/passwords/session/reset', {
    as: session,
    body: { password: 'quiet marshal umbrella 7' },
  })
  assert.equal(reset.status, 200)
  session = reset.data.session_token
  assert.equal((await type(code, before.method_id)).error, 'otp_code_not_found')

  service.advance(60_000)
  const { data: late } = await request(number)
  const lateCode = await codeFor(number)
  const me = await service.call('getMe', '/sdk/v1/users/me', { method: 'GET', as: session })
  const removed = await remove(me.data.phone_numbers[0].phone_id, session)
  assert.equal(removed.status, 200)
  assert.deepEqual(removed.data.__user.phone_numbers, [])
  assert.equal((await type(lateCode, late.method_id)).error, 'otp_code_not_found')
  const kinds = (await service.mailsTo(email)).map(({ kind }) => kind)
  assert.ok(kinds.includes('phone_removed'))
  // The number opens its old account no more.
  service.advance(60_000)
  assert.notEqual((await enter(number)).user_id, me.data.user_id)
})

test('keeps the last way in, and another person’s number', async () => {
  const person = await enter(newNumber())
  const other = await enter(newNumber())
  const { phone_id } = person.user.phone_numbers[0]
  const foreign = await remove(phone_id, other.session_token)
  assert.deepEqual([foreign.status, foreign.error], [404, 'factor_not_found'])
  const last = await remove(phone_id, person.session_token)
  assert.deepEqual([last.status, last.error], [400, 'cannot_delete_last_factor'])
})

test('needs the second factor after a code by text, and to add or remove a number', async () => {
  const email = 'phone.and.app@example.com'
  const { token } = await signUpProved(email)
  const number = newNumber()
  const session = await addTo(number, token)
  const app = await ways.createApp(session)
  assert.equal((await ways.typeCode(session, app.code())).status, 200)
  service.advance(60_000)
  const half = await enter(number)
  assert.equal(await ways.isAccepted(half.session_jwt), false)
  assert.equal((await add(newNumber(), half.session_token)).error, 'insufficient_factors')
  const { phone_id } = half.user.phone_numbers[0]
  assert.equal((await remove(phone_id, half.session_token)).error, 'insufficient_factors')
  const whole = await ways.typeCode(half.session_token, app.code())
  assert.equal((await remove(phone_id, whole.data.session_token)).status, 200)
})

test('rejects the code of a locked account', async () => {
  const number = newNumber()
  const person = await enter(number)
  service.advance(60_000)
  const { data } = await request(number)
  await service.db
    .updateTable('person')
    .set({ locked_at: service.now() })
    .where('user_id', '=', person.user_id)
    .execute()
  assert.equal((await type(await codeFor(number), data.method_id)).error, 'unable_to_auth_otp_code')
})

test('answers unsubscribed_phone_number for ten minutes after the provider refused the number', async () => {
  const number = newNumber()
  await service.deps.refusals.store('sms', number)
  for (const path of ['login_or_create', 'send/primary'] as const) {
    const { status, error, body } = await request(number, { path })
    assert.deepEqual([status, error], [400, 'unsubscribed_phone_number'])
    assert.match(body.error_message, /Text START/)
  }
  assert.equal((await request(number, { channel: 'whatsapp' })).status, 200)
  service.advance(10 * 60_000)
  assert.equal((await request(number)).status, 200)
})

test('stores neither a code nor the number of a refusal in readable form', async () => {
  const number = newNumber()
  const { data } = await request(number)
  const code = await codeFor(number)
  await service.deps.refusals.store('sms', number)
  const outbox = await service.db.selectFrom('text_outbox').select('content_sealed').execute()
  const codes = await service.db
    .selectFrom('code')
    .select('code_hash')
    .where('method_id', '=', data.method_id)
    .execute()
  const refused = await service.db.selectFrom('text_refusal').select('digest').execute()
  const stored = [
    ...outbox.map(row => row.content_sealed!),
    ...codes.map(row => row.code_hash),
    ...refused.map(row => row.digest),
  ].map(bytes => bytes.toString('latin1'))
  assert.equal(stored.length, outbox.length + 1 + refused.length)
  for (const text of stored) {
    assert.ok(!text.includes(number.slice(1)))
    assert.ok(!text.includes(code))
  }
})

test('signs in to the account of a number also beside a session of another person', async () => {
  const { token } = await signUpProved('beside@example.com')
  const number = newNumber()
  const person = await enter(number)
  service.advance(60_000)
  const { data } = await request(number, { as: token })
  const answer = await type(await codeFor(number), data.method_id, token)
  assert.equal(answer.data.user_id, person.user_id)
  const password = await ways.signIn('beside@example.com', { password: goodPassword })
  assert.equal(password.data.user.phone_numbers.length, 0)
})
