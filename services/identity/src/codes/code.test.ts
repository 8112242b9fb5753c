import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CallOptions, goodPassword, type Harness, harness } from '../test/harness.ts'
import { saveRegistration } from '../users/user.repository.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const send = (email: string, more: object = {}, options: CallOptions = {}) =>
  service.call('sendEmailCodeOrCreate', '/sdk/v1/otps/email/login_or_create', {
    body: { email, ...more },
    ...options,
  })
const sendKnown = (email: string, options: CallOptions = {}) =>
  service.call('sendEmailCode', '/sdk/v1/otps/email/send/primary', { body: { email }, ...options })
const sendInSession = (email: string, as: string) =>
  service.call('sendEmailCodeInSession', '/sdk/v1/otps/email/send/secondary', { as, body: { email } })
const type = (code: unknown, methodId: string, as?: string, ip?: string) =>
  service.call('authenticateCode', '/sdk/v1/otps/authenticate', {
    body: { token: code, method_id: methodId, session_duration_minutes: 60 },
    ...(as !== undefined && { as }),
    ...(ip !== undefined && { ip }),
  })

/** Signs in a new person with a code, so that their address is verified. */
async function enter(email: string) {
  const { data } = await send(email)
  return (await type(await codeFor(email), data.method_id)).data
}

async function codeFor(email: string): Promise<string> {
  const mail = (await service.mailsTo(email)).filter(({ kind }) => /code$/.test(kind)).at(-1)!
  return /\b\d{6}\b/.exec(mail.text)![0]
}

/** Requests a code from a network, and uses up its tries from five. */
async function burn(email: string, ip: string) {
  const { data } = await send(email, {}, { ip })
  for (let tries = 0; tries < 25; tries++) {
    await type('000000', data.method_id, undefined, `198.51.100.${tries % 5}`)
  }
}

/** Returns six digits that are not the code. */
const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('creates an account for a new address', async () => {
  const ip = '192.0.2.30'
  const sent = await send('new@example.com', {}, { ip })
  const again = await send('NEW@example.com', {}, { ip })
  assert.equal(sent.data.method_id, again.data.method_id)
  const { status, data } = await type(await codeFor('new@example.com'), sent.data.method_id)
  assert.equal(status, 200)
  assert.equal(data.method_id, sent.data.method_id)
  assert.equal(data.user.emails[0].verified, true)
  assert.equal(data.session.authentication_factors[0].type, 'otp')
  assert.equal(data.session.authentication_factors[0].email_factor.email_id, data.user.emails[0].email_id)
})

test('signs in to the account of a known address', async () => {
  const { userId } = await service.signUp('known@example.com')
  const sent = await send('known@example.com')
  assert.equal((await type(await codeFor('known@example.com'), sent.data.method_id)).data.user_id, userId)
})

test('returns a random method id, whether or not the address has an account', async () => {
  const { emailId } = await service.signUp('form@example.com')
  const form = /^email-live-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-([89ab])[0-9a-f]{3}-[0-9a-f]{12}$/
  const ids = new Map<string, Set<string>>()
  const digits = new Map<string, Set<string>>()
  for (const email of ['form@example.com', 'formless@example.com']) {
    ids.set(email, new Set())
    digits.set(email, new Set())
    // Among 80 ids each of the four digits appears, except once in 10^9 runs.
    for (let turn = 0; turn < 80; turn++) {
      service.advance(5 * 60_000)
      const { data } = await sendKnown(email)
      assert.match(data.method_id, form)
      ids.get(email)!.add(data.method_id)
      digits.get(email)!.add(form.exec(data.method_id)![1]!)
    }
    assert.equal(ids.get(email)!.size, 80)
    assert.deepEqual([...digits.get(email)!].toSorted(), ['8', '9', 'a', 'b'])
  }
  assert.ok(!ids.get('form@example.com')!.has(emailId))
  assert.equal((await service.mailsTo('formless@example.com'))[0]!.kind, 'no_account')
})

test('creates no account for a sign-in of an unknown address', async () => {
  const email = 'noaccount@example.com'
  const { data } = await service.call('sendEmailCode', '/sdk/v1/otps/email/send/primary', { body: { email } })
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, code) => type(String(code).padStart(6, '0'), data.method_id)),
  )
  assert.ok(answers.every(({ error }) => error === 'otp_code_not_found'))
})

test('rejects a code that is not six digits', async () => {
  for (const code of ['', '12345', '1234567', 'abcdef', '１２３４５６', '12 456', '-12345']) {
    const { status, error } = await type(code, 'email-live-x')
    assert.deepEqual([status, error], [400, 'invalid_code'])
  }
})

test('answers the same for a wrong code, an unknown id and another person’s code', async () => {
  const mine = (await send('mine@example.com')).data.method_id
  const yours = (await send('yours@example.com')).data.method_id
  const code = await codeFor('mine@example.com')
  for (const [typed, methodId] of [
    [wrongCode(code), mine],
    [code, 'email-live-unknown'],
    [code, yours],
  ] as const) {
    if (methodId === yours && code === (await codeFor('yours@example.com'))) continue
    const { status, error } = await type(typed, methodId)
    assert.deepEqual([status, error], [404, 'otp_code_not_found'])
  }
})

test('compares five of fifty concurrent wrong tries from one network; the code still works elsewhere', async () => {
  const { data } = await send('guess@example.com')
  const code = await codeFor('guess@example.com')
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => type(wrongCode(code), data.method_id, undefined, '192.0.2.40')),
  )
  assert.ok(answers.every(({ error }) => error === 'otp_code_not_found'))
  assert.equal(await triesOf(data.method_id), 5)
  // Even the right code from that network is not compared.
  assert.equal((await type(code, data.method_id, undefined, '192.0.2.40')).error, 'otp_code_not_found')
  assert.equal((await type(code, data.method_id, undefined, '192.0.2.41')).status, 200)
})

test('compares twenty-five of fifty concurrent wrong tries from ten networks; then the code is dead', async () => {
  const { data } = await send('burnt@example.com')
  const code = await codeFor('burnt@example.com')
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      type(wrongCode(code), data.method_id, undefined, `192.0.2.${50 + (index % 10)}`),
    ),
  )
  assert.equal(await triesOf(data.method_id), 25)
  assert.equal((await type(code, data.method_id)).error, 'otp_code_not_found')
})

test('sends the owner a new code after strangers on ten networks used up fifteen, from anywhere', async () => {
  const { userId } = await service.signUp('burning@example.com')
  for (let round = 0; round < 15; round++) await burn('burning@example.com', `203.0.113.${round % 10}`)
  const { data } = await send('burning@example.com')
  const { data: signedIn } = await type(await codeFor('burning@example.com'), data.method_id)
  assert.equal(signedIn.user_id, userId)
})

test('sends ten codes an hour to each known network and browser, however many strangers use up', async () => {
  const email = 'surrounded@example.com'
  const home = '192.0.2.31'
  const { data: person, headers } = await service.call('createPassword', '/sdk/v1/passwords', {
    body: { email, password: goodPassword },
    ip: home,
  })
  const cookie = String([headers['set-cookie']].flat()[0]).split(';')[0]!
  await service.db.updateTable('email').set({ verified: true }).where('address', '=', email).execute()
  const count = async () => (await service.mailsTo(email)).length
  for (let round = 0; round < 40; round++) await burn(email, `203.0.113.${100 + (round % 10)}`)
  // Twenty for all strangers, and one beyond their limit.
  assert.equal(await count(), 21)
  for (const options of [{ ip: home }, { ip: home, headers: { cookie } }]) {
    const before = await count()
    for (let turn = 0; turn < 10; turn++) {
      service.advance(15_000)
      await send(email, {}, options)
    }
    assert.equal((await count()) - before, 10)
    // A stranger takes the one beyond the limits.
    await send(email)
    const full = await count()
    service.advance(15_000)
    await send(email, {}, options)
    // The browser has one limit, wherever it is.
    await send(email, {}, { ...options, ip: options.headers ? '192.0.2.32' : home })
    assert.equal(await count(), full)
  }
  service.advance(60 * 60_000)
  const { data } = await send(email, {}, { headers: { cookie } })
  assert.equal((await type(await codeFor(email), data.method_id)).data.user_id, person.user_id)
})

test('counts the browsers of a person who never proved the address as strangers', async () => {
  const email = 'signed.up.by.another@example.com'
  await service.signUp(email)
  for (let turn = 0; turn < 30; turn++) {
    service.advance(2_500)
    const { headers } = await service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
      body: { email, password: goodPassword },
    })
    const cookie = String([headers['set-cookie']].flat()[0]).split(';')[0]!
    await send(email, {}, { headers: { cookie } })
  }
  assert.equal((await service.mailsTo(email)).length, 20 + 1)
})

test('returns the id of a code only to its requester, so that strangers cannot use up its tries', async () => {
  for (const email of ['requested@example.com', 'requested.unknown@example.com']) {
    const owner = await send(email, {}, { ip: '192.0.2.33' })
    const ids = new Set([owner.data.method_id])
    for (let turn = 0; turn < 30; turn++) {
      const { status, data } = await send(email, {}, { ip: `192.0.2.${34 + (turn % 3)}` })
      assert.equal(status, 200)
      ids.add(data.method_id)
    }
    // One each in 15 s.
    assert.equal(ids.size, 1 + 3)
    service.advance(16_000)
    for (let turn = 0; turn < 30; turn++) {
      const { data } = await send(email, {}, { ip: `192.0.2.${60 + turn}` })
      // Above the limit the id is made up.
      assert.ok(!ids.has(data.method_id))
    }
  }
})

test('leaves a code valid if a stranger requests another one', async () => {
  await service.signUp('slow@example.com')
  const { data } = await send('slow@example.com')
  const code = await codeFor('slow@example.com')
  for (let turn = 0; turn < 5; turn++) {
    service.advance(16_000)
    assert.notEqual((await send('slow@example.com')).data.method_id, data.method_id)
  }
  assert.equal((await type(code, data.method_id)).status, 200)
})

test('sends another code after 15 s or after its use, within the limit of an hour', async () => {
  const email = 'resend@example.com'
  const count = async () => (await service.mailsTo(email)).filter(({ kind }) => kind === 'code').length
  const sendHere = () => send(email, {}, { ip: '192.0.2.42' })
  const { data: first } = await sendHere()
  service.advance(14_999)
  assert.equal((await sendHere()).data.method_id, first.method_id)
  assert.equal(await count(), 1)
  service.advance(1)
  const { data: second } = await sendHere()
  assert.equal(await count(), 2)
  assert.equal((await type(await codeFor(email), second.method_id)).status, 200)
  const { data: third } = await sendHere()
  assert.equal(await count(), 3)
  assert.notEqual(third.method_id, second.method_id)
  // Ten in the first hour, then one in five minutes.
  for (let turn = 0; turn < 100; turn++) {
    service.advance(16_000)
    assert.match((await sendHere()).data.method_id, /^email-live-/)
  }
  assert.equal(await count(), 10 + 5)
  service.advance(60 * 60_000)
  await sendHere()
  assert.equal(await count(), 10 + 5 + 1)
})

test('sends another code immediately after five wrong tries from its network', async () => {
  const email = 'mistyped@example.com'
  await service.signUp(email)
  const from = { ip: '192.0.2.44' }
  const { data: first } = await send(email, {}, from)
  const wrong = wrongCode(await codeFor(email))
  for (let tries = 0; tries < 4; tries++) await type(wrong, first.method_id, undefined, from.ip)
  assert.equal((await send(email, {}, from)).data.method_id, first.method_id)
  await type(wrong, first.method_id, undefined, from.ip)
  const { data: second } = await send(email, {}, from)
  assert.notEqual(second.method_id, first.method_id)
  assert.equal((await type(await codeFor(email), second.method_id, undefined, from.ip)).status, 200)
})

test('counts the codes of both ways to request a sign-in together', async () => {
  const email = 'both.ways@example.com'
  await service.signUp(email)
  const from = { ip: '192.0.2.43' }
  for (let turn = 0; turn < 20; turn++) {
    service.advance(10_000)
    await (turn % 2 === 0 ? send(email, {}, from) : sendKnown(email, from))
  }
  // One of each beyond the limit.
  assert.equal((await service.mailsTo(email)).length, 10 + 2)
})

test('accepts exactly one of five concurrent tries with the right code', async () => {
  const { data } = await send('once@example.com')
  const code = await codeFor('once@example.com')
  const answers = await Promise.all(Array.from({ length: 5 }, () => type(code, data.method_id)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(answers.filter(({ error }) => error === 'unable_to_auth_otp_code').length, 4)
})

test('rejects a code after its minutes', async () => {
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

test('adds the address to the account of the session that requested the code', async () => {
  const session = await enter('primary@example.com')
  const { data: second } = await sendInSession('secondary@example.com', session.session_token)
  const [mail] = await service.mailsTo('secondary@example.com')
  const [signsIn] = await service.mailsTo('primary@example.com')
  assert.match(signsIn!.subject, /sign-in code/)
  assert.match(signsIn!.text, /Your sign-in code/)
  assert.equal(mail!.kind, 'add_code')
  assert.match(mail!.subject, /add this address to your Lapwing account/)
  assert.match(mail!.text, /signs nobody in/)
  const { data } = await type(await codeFor('secondary@example.com'), second.method_id, session.session_token)
  assert.equal(data.user_id, session.user_id)
  assert.equal(data.user.emails.length, 2)
})

test('accepts a code that adds an address only in a session of the person who requested it', async () => {
  const asker = await enter('asker@example.com')
  const stranger = await enter('stranger@example.com')
  const { data: asked } = await sendInSession('wanted@example.com', asker.session_token)
  const code = await codeFor('wanted@example.com')
  // The owner of the mailbox requests a sign-in at the same moment: another code with another id.
  const { data: own } = await send('wanted@example.com')
  assert.notEqual(own.method_id, asked.method_id)
  assert.deepEqual((await service.mailsTo('wanted@example.com')).map(({ kind }) => kind).toSorted(), [
    'add_code',
    'code',
  ])
  for (const as of [undefined, stranger.session_token]) {
    const { status, error } = await type(code, asked.method_id, as)
    assert.deepEqual([status, error], [404, 'otp_code_not_found'])
  }
  assert.equal(await triesOf(asked.method_id), 0, 'strangers cannot use up its tries')
  const signIn = (await service.mailsTo('wanted@example.com')).find(({ kind }) => kind === 'code')!
  const { data: owner } = await type(/\b\d{6}\b/.exec(signIn.text)![0], own.method_id)
  assert.notEqual(owner.user_id, asker.user_id)
  // The address now belongs to another account.
  const late = await type(code, asked.method_id, asker.session_token)
  assert.equal(late.error, 'unable_to_auth_otp_code')
})

test('drops codes if the password changes or a way to sign in is removed', async () => {
  const { token, userId } = await service.signUp('dies@example.com')
  const { data: before } = await send('dies@example.com')
  const code = await codeFor('dies@example.com')
  await service.call('resetPasswordBySession', '/sdk/v1/passwords/session/reset', {
    as: token,
    body: { password: 'quiet marshal umbrella 7' },
  })
  assert.equal((await type(code, before.method_id)).error, 'otp_code_not_found')

  const session = await enter('dies@example.com')
  assert.equal(session.user_id, userId)
  const { data: adding } = await sendInSession('goes@example.com', session.session_token)
  const { data: added } = await type(
    await codeFor('goes@example.com'),
    adding.method_id,
    session.session_token,
  )
  const { data: late } = await send('goes@example.com')
  const lateCode = await codeFor('goes@example.com')
  const { email_id } = added.user.emails.find(({ email }: { email: string }) => email === 'goes@example.com')
  const removed = await service.call('deleteEmail', `/sdk/v1/users/emails/${email_id}`, {
    method: 'DELETE',
    as: added.session_token,
  })
  assert.equal(removed.status, 200)
  assert.equal((await type(lateCode, late.method_id)).error, 'otp_code_not_found')

  const { registrationId } = await service.deps.change(work =>
    saveRegistration(work, userId, { type: 'Google', subject: 'dies', profilePictureUrl: '', locale: '' }),
  )
  const { data: last } = await send('dies@example.com')
  const lastCode = await codeFor('dies@example.com')
  await service.call('deleteOAuthRegistration', `/sdk/v1/users/oauth/${registrationId}`, {
    method: 'DELETE',
    as: added.session_token,
  })
  assert.equal((await type(lastCode, last.method_id)).error, 'otp_code_not_found')
})

async function triesOf(methodId: string): Promise<number> {
  const { tries } = await service.db
    .selectFrom('code')
    .select('tries')
    .where('method_id', '=', methodId)
    .executeTakeFirstOrThrow()
  return tries
}

test('stores only a digest of the code', async () => {
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
