import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Harness, harness } from '../test/harness.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const send = (email: string, more: object = {}) =>
  service.call('sendEmailCodeOrCreate', '/sdk/v1/otps/email/login_or_create', { body: { email, ...more } })
const type = (code: unknown, methodId: string, as?: string) =>
  service.call('authenticateCode', '/sdk/v1/otps/authenticate', {
    body: { token: code, method_id: methodId, session_duration_minutes: 60 },
    ...(as !== undefined && { as }),
  })

async function codeFor(email: string): Promise<string> {
  const mail = (await service.mailsTo(email)).filter(({ kind }) => kind === 'code').at(-1)!
  return /\b\d{6}\b/.exec(mail.text)![0]
}

/** Six digits that are not the code. */
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('a new address gets an account under the id that was answered before it had one', async () => {
  const sent = await send('new@example.com')
  const again = await send('NEW@example.com')
  assert.equal(sent.data.method_id, again.data.method_id)
  const { status, data } = await type(await codeFor('new@example.com'), sent.data.method_id)
  assert.equal(status, 200)
  assert.equal(data.method_id, sent.data.method_id)
  assert.equal(data.user.emails[0].email_id, sent.data.method_id)
  assert.equal(data.user.emails[0].verified, true)
  assert.equal(data.session.authentication_factors[0].type, 'otp')
})

test('a known address is signed in to its account', async () => {
  const { userId, emailId } = await service.signUp('known@example.com')
  const sent = await send('known@example.com')
  assert.equal(sent.data.method_id, emailId)
  assert.equal((await type(await codeFor('known@example.com'), emailId)).data.user_id, userId)
})

test('the id of an unknown address has the form of any other and cannot be told from one', async () => {
  const { emailId } = await service.signUp('form@example.com')
  const known = await service.call('sendEmailCode', '/sdk/v1/otps/email/send/primary', {
    body: { email: 'form@example.com' },
  })
  const unknown = await service.call('sendEmailCode', '/sdk/v1/otps/email/send/primary', {
    body: { email: 'formless@example.com' },
  })
  assert.equal(known.data.method_id, emailId)
  const form = /^email-live-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  assert.match(known.data.method_id, form)
  assert.match(unknown.data.method_id, form)
  assert.equal((await service.mailsTo('formless@example.com'))[0]!.kind, 'no_account')
})

test('a code sent only to known addresses makes no account', async () => {
  const email = 'noaccount@example.com'
  const { data } = await service.call('sendEmailCode', '/sdk/v1/otps/email/send/primary', { body: { email } })
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, code) => type(String(code).padStart(6, '0'), data.method_id)),
  )
  assert.ok(answers.every(({ error }) => error === 'otp_code_not_found'))
})

test('what is not six digits is no code', async () => {
  for (const code of ['', '12345', '1234567', 'abcdef', '１２３４５６', '12 456', '-12345']) {
    const { status, error } = await type(code, 'email-live-x')
    assert.deepEqual([status, error], [400, 'invalid_code'])
  }
})

test('the wrong code, an unknown id and somebody else’s code are one answer', async () => {
  const mine = (await send('mine@example.com')).data.method_id
  const yours = (await send('yours@example.com')).data.method_id
  const code = await codeFor('mine@example.com')
  for (const [typed, methodId] of [
    [other(code), mine],
    [code, 'email-live-unknown'],
    [code, yours],
  ] as const) {
    if (methodId === yours && code === (await codeFor('yours@example.com'))) continue
    const { status, error } = await type(typed, methodId)
    assert.deepEqual([status, error], [404, 'otp_code_not_found'])
  }
})

test('of fifty wrong tries at once five are compared; after them the right code is no good either', async () => {
  const { data } = await send('guess@example.com')
  const code = await codeFor('guess@example.com')
  const answers = await Promise.all(Array.from({ length: 50 }, () => type(other(code), data.method_id)))
  assert.ok(answers.every(({ error }) => error === 'otp_code_not_found'))
  const { tries } = await service.db
    .selectFrom('code')
    .select('tries')
    .where('method_id', '=', data.method_id)
    .executeTakeFirstOrThrow()
  assert.equal(tries, 5)
  assert.equal((await type(code, data.method_id)).error, 'otp_code_not_found')
  // A new one, a minute later, is good again.
  service.advance(61_000)
  await send('guess@example.com')
  assert.equal((await type(await codeFor('guess@example.com'), data.method_id)).status, 200)
})

test('of five tries with the right code at once exactly one succeeds', async () => {
  const { data } = await send('once@example.com')
  const code = await codeFor('once@example.com')
  const answers = await Promise.all(Array.from({ length: 5 }, () => type(code, data.method_id)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(answers.filter(({ error }) => error === 'unable_to_auth_otp_code').length, 4)
})

test('a code is worth nothing after its minutes', async () => {
  const { data } = await send('late@example.com', { expiration_minutes: 2 })
  service.advance(2 * 60_000)
  assert.equal(
    (await type(await codeFor('late@example.com'), data.method_id)).error,
    'unable_to_auth_otp_code',
  )
  for (const minutes of [0, 11, 1.5]) {
    assert.equal(
      (await send('m@example.com', { expiration_minutes: minutes })).error,
      'invalid_expiration_minutes',
    )
  }
})

test('a code asked for within a session adds the address to its person', async () => {
  const { data: first } = await send('primary@example.com')
  const session = await type(await codeFor('primary@example.com'), first.method_id)
  const { data: second } = await service.call('sendEmailCodeInSession', '/sdk/v1/otps/email/send/secondary', {
    as: session.data.session_token,
    body: { email: 'secondary@example.com' },
  })
  const { data } = await type(
    await codeFor('secondary@example.com'),
    second.method_id,
    session.data.session_token,
  )
  assert.equal(data.user_id, session.data.user_id)
  assert.equal(data.user.emails.length, 2)
})

test('the database does not hold the code', async () => {
  const { data } = await send('hidden@example.com')
  const code = await codeFor('hidden@example.com')
  const row = await service.db
    .selectFrom('code')
    .selectAll()
    .where('method_id', '=', data.method_id)
    .executeTakeFirstOrThrow()
  assert.ok(!JSON.stringify(row).includes(code))
  assert.equal(row.code_hash.length, 32)
})
