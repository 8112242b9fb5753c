import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { freePort } from '@lapwing/dev-servers/free-port'
import { type Harness, harness, origin } from '../test/harness.ts'
import { REPLY_ROUTE, signReply } from './receive-reply.ts'
import { createTextDelivery, type TextDeliveryError } from './text-delivery.ts'

/** What the messaging provider reports of people's answers. */
let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const ADDRESS = `${origin}${REPLY_ROUTE}`

let numbers = 0
const newNumber = () => `+49151${String(40_000_000 + numbers++)}`

type Fields = Readonly<Record<string, string>>

/** Returns the fields of a message, as a provider sends them. */
function message(from: string, words: string, more: Fields = {}): Fields {
  return {
    MessageSid: `SM${numbers++}`,
    AccountSid: 'lapwing',
    From: from,
    To: '+12015550123',
    Body: words,
    NumMedia: '0',
    ...more,
  }
}

/** Posts a form with the signature of the provider, or with another one. */
function post(form: Fields, signature = signReply(ADDRESS, form, 'secret'), { to = service } = {}) {
  return to.call('receiveTextReply', REPLY_ROUTE, {
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature },
  })
}

async function request(number: string, channel: 'sms' | 'whatsapp' = 'sms') {
  service.advance(61_000)
  const operation = channel === 'sms' ? 'sendSmsCodeOrCreate' : 'sendWhatsappCodeOrCreate'
  const { status, error, body } = await service.call(operation, `/sdk/v1/otps/${channel}/login_or_create`, {
    body: { phone_number: number },
  })
  return { status, error, sentence: body.error_message }
}

test('signs like a messaging provider', () => {
  // The example of the providers' own documentation.
  const form = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
  }
  const address = 'https://mycompany.com/myapp.php?foo=1&bar=2'
  assert.equal(signReply(address, form, '12345'), 'RSOYDt4T1cUTdK1PDd93/VVr8B8=')
})

test('sends a number that answered STOP no more texts until it answers START', async () => {
  const number = newNumber()
  assert.equal((await request(number)).status, 200)
  assert.equal((await post(message(number, ' stop\n'))).status, 204)
  const refused = await request(number)
  assert.deepEqual([refused.status, refused.error], [400, 'unsubscribed_phone_number'])
  assert.match(refused.sentence, /Text START/)
  service.advance(30 * 86_400_000)
  assert.equal((await request(number)).error, 'unsubscribed_phone_number')
  // The provider refuses it, too. Its owner does not have to wait until this is forgotten.
  await service.deps.refusals.store('sms', number)
  assert.equal((await post(message(number, 'Start'))).status, 204)
  assert.equal((await request(number)).status, 200)
})

test('answers for a stopped number the same with and without an account', async () => {
  const [known, unknown] = [newNumber(), newNumber()]
  const { userId } = await service.signUp('stopped@example.com')
  await service.db
    .insertInto('phone_number')
    .values({ phone_id: 'phone-number-stop', user_id: userId, number: known, created_at: service.now() })
    .execute()
  await post(message(known, 'STOP'))
  await post(message(unknown, 'STOP'))
  assert.deepEqual(await request(known), await request(unknown))
})

test('stops one channel and one number alone', async () => {
  const [number, other] = [newNumber(), newNumber()]
  await post(message(`whatsapp:${number}`, 'STOP'))
  assert.equal((await request(number, 'whatsapp')).error, 'unsubscribed_phone_number')
  assert.equal((await request(number)).status, 200)
  assert.equal((await request(other, 'whatsapp')).status, 200)
})

test('ignores a message that asks for something else, and follows how the provider understands it', async () => {
  const number = newNumber()
  for (const words of ['Please stop at the pits', 'HELP', '', '123456']) {
    assert.equal((await post(message(number, words))).status, 204)
  }
  assert.equal((await request(number)).status, 200)
  await post(message(number, 'Arrêt', { OptOutType: 'STOP' }))
  assert.equal((await request(number)).error, 'unsubscribed_phone_number')
})

test('ignores a repeated STOP after its person answered START', async () => {
  const number = newNumber()
  const stop = message(number, 'STOP')
  const statuses = await Promise.all([post(stop), post(stop), post(stop)])
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [204, 204, 204],
  )
  await post(message(number, 'START'))
  assert.equal((await post(stop)).status, 204)
  assert.equal((await request(number)).status, 200)
})

test('rejects a form that the provider did not sign', async () => {
  const number = newNumber()
  const stop = message(number, 'STOP')
  const own = signReply(ADDRESS, stop, 'secret')
  const other = { ...stop, From: newNumber() }
  for (const [what, form, signature] of [
    ['another secret', stop, signReply(ADDRESS, stop, 'guess')],
    ['the secret of no provider', stop, signReply(ADDRESS, stop, '')],
    ['another address', stop, signReply(`${origin}/elsewhere`, stop, 'secret')],
    ['another number', other, own],
    ['one more field', { ...stop, OptOutType: 'START' }, own],
    ['a part of the signature', stop, own.slice(0, -1)],
    ['no signature', stop, ''],
  ] as const) {
    const { status, error } = await post(form, signature)
    assert.deepEqual([status, error], [401, 'unauthorized_credentials'], what)
  }
  assert.equal((await request(number)).status, 200)
  assert.equal((await request(other.From)).status, 200)
})

test('rejects a form without a number, and any other type of body', async () => {
  const { From: _, ...form } = message(newNumber(), 'STOP')
  const { status, error } = await post(form)
  assert.deepEqual([status, error], [400, 'bad_request'])
  for (const body of [[], {}, { MessageSid: 1, From: 2, Body: [] }, undefined]) {
    assert.equal((await service.call('receiveTextReply', REPLY_ROUTE, { body })).status, 400)
  }
})

test('refuses the call without a messaging provider', async () => {
  const without = await harness(
    {},
    { TEXT_API_URL: '', TEXT_API_CREDENTIALS: '', SMS_SENDER: '', WHATSAPP_SENDER: '' },
  )
  try {
    const { status, error } = await post(message(newNumber(), 'STOP'), undefined, { to: without })
    assert.deepEqual([status, error], [401, 'endpoint_not_authorized_for_sdk'])
  } finally {
    await without.close()
  }
})

test('does not send a text that was requested before its person answered STOP, even if the provider was away', async () => {
  const number = newNumber()
  await request(number)
  const deliver = createTextDelivery({
    provider: {
      ...service.deps.settings.texts.provider!,
      url: new URL(`http://127.0.0.1:${await freePort()}`),
    },
    refusals: service.deps.refusals,
    db: service.db,
  })
  const [text] = await service.textsTo(number)
  const failsWith = (reason: string) => (error: TextDeliveryError) => error.reason === reason
  await assert.rejects(deliver('text-1', text!), failsWith('ECONNREFUSED'))
  await post(message(number, 'STOP'))
  await assert.rejects(
    deliver('text-1', text!),
    (error: TextDeliveryError) => error.isFinal && failsWith('stopped')(error),
  )
})

test('stores no number and no message id in readable form', async () => {
  const number = newNumber()
  const stop = message(number, 'STOP')
  await post(stop)
  const stops = await service.db.selectFrom('text_stop').select('digest').execute()
  const replies = service.db
    .selectFrom('token')
    .select('token_hash as digest')
    .where('kind', '=', 'text_reply')
  const stored = [...stops, ...(await replies.execute())].map(({ digest }) => digest.toString('latin1'))
  assert.ok(stored.length > stops.length)
  for (const bytes of stored) {
    assert.ok(!bytes.includes(number.slice(1)) && !bytes.includes(stop.MessageSid!))
  }
})
