import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { after, before, type TestContext, test } from 'node:test'
import { freePort } from '@lapwing/dev-servers/free-port'
import { createLogger } from '@lapwing/http'
import { until } from '@lapwing/testing/until.ts'
import { type Harness, harness } from '../test/harness.ts'
import { createTextDelivery } from './text-delivery.ts'
import { createTextSender } from './text-sender.ts'

/** Texts against a messaging provider that is away, slow, or refuses numbers. */
let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

interface Posted {
  readonly authorization: string | undefined
  readonly form: Readonly<Record<string, string>>
}

type Answer = (posted: Posted, reply: ServerResponse) => void

const accept: Answer = (_posted, reply) => reply.writeHead(201).end('{"sid":"SM1","status":"queued"}')
const refuse =
  (status: number, code?: number): Answer =>
  (_posted, reply) =>
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ code }))

/** Starts a provider. It listens on a free port, or on the given one. */
async function startProvider(t: TestContext, answer: Answer, port = 0) {
  const posts: Posted[] = []
  const server = createServer(async (request: IncomingMessage, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
    const posted = { authorization: request.headers.authorization, form }
    posts.push(posted)
    answer(posted, reply)
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    return new Promise(resolve => server.close(resolve))
  })
  return { posts, port: (server.address() as AddressInfo).port }
}

/** Starts a sender of texts, whose log lines are collected. */
function startSender(t: TestContext, port: number, options: { timeoutMs?: number; template?: string } = {}) {
  let log = ''
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log += chunk
      done()
    },
  })
  const sender = createTextSender({
    db: service.db,
    cipher: service.deps.cipher,
    deliver: createTextDelivery({
      provider: {
        url: new URL(`http://127.0.0.1:${port}/Messages.json`),
        credentials: 'AC1:secret of the provider',
        senders: { sms: '+12015550100', whatsapp: '+12015550101' },
        whatsappTemplate: options.template ?? '',
      },
      db: service.db,
      refusals: service.deps.refusals,
      ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    }),
    now: service.now,
    logger: createLogger('identity', 'trace', sink),
    pollMs: 3_600_000,
  })
  t.after(() => sender.close())
  return { sender, log: () => log }
}

let numbers = 0
const newNumber = () => `+49151${String(30_000_000 + numbers++)}`

async function request(number: string, channel: 'sms' | 'whatsapp' = 'sms') {
  const operation = channel === 'sms' ? 'sendSmsCodeOrCreate' : 'sendWhatsappCodeOrCreate'
  const answer = await service.call(operation, `/sdk/v1/otps/${channel}/login_or_create`, {
    body: { phone_number: number },
  })
  assert.equal(answer.status, 200)
  const [text] = await service.textsTo(number)
  return { methodId: answer.data.method_id as string, code: text!.code!, words: text!.words }
}

const unsent = () =>
  service.db.selectFrom('text_outbox').selectAll().where('finished_at', 'is', null).execute()
const untilEmpty = () => until(async () => (await unsent()).length === 0, 'the outbox is empty')

test('posts SMS and WhatsApp messages in the form of messaging providers, and deletes the sent words', async t => {
  const { posts, port } = await startProvider(t, accept)
  const { sender } = startSender(t, port)
  const [sms, whatsapp] = [newNumber(), newNumber()]
  const { words } = await request(sms)
  sender.wake()
  await untilEmpty()
  const message = await request(whatsapp, 'whatsapp')
  sender.wake()
  await untilEmpty()
  assert.deepEqual(
    posts.map(({ form }) => form),
    [
      { To: sms, From: '+12015550100', Body: words },
      { To: `whatsapp:${whatsapp}`, From: 'whatsapp:+12015550101', Body: message.words },
    ],
  )
  assert.equal(posts[0]!.authorization, `Basic ${btoa('AC1:secret of the provider')}`)
  const rows = await service.db.selectFrom('text_outbox').select('content_sealed').execute()
  assert.ok(rows.every(({ content_sealed }) => content_sealed === null))
})

test('sends a WhatsApp code by its approved template', async t => {
  const { posts, port } = await startProvider(t, accept)
  const { sender } = startSender(t, port, { template: 'HX7' })
  const number = newNumber()
  const { code } = await request(number, 'whatsapp')
  sender.wake()
  await untilEmpty()
  assert.deepEqual(posts[0]!.form, {
    To: `whatsapp:${number}`,
    From: 'whatsapp:+12015550101',
    ContentSid: 'HX7',
    ContentVariables: JSON.stringify({ 1: code }),
  })
})

test('answers requests while the provider is away, and sends the text when it is back', async t => {
  const port = await freePort()
  const { sender, log } = startSender(t, port)
  const number = newNumber()
  const { code, methodId } = await request(number)
  const downSince = service.now().getTime()
  for (let attempts = 1; service.now().getTime() < downSince + 2 * 60_000; attempts++) {
    sender.wake()
    const pauseMs = Math.min(1_000 * 2 ** (attempts - 1), 300_000)
    await until(
      async () => (await unsent())[0]?.next_attempt_at.getTime() === service.now().getTime() + pauseMs,
    )
    service.advance(pauseMs)
  }
  assert.match(log(), /"reason":"ECONNREFUSED"/)
  const { posts } = await startProvider(t, accept, port)
  sender.wake()
  await untilEmpty()
  assert.equal(posts.length, 1)
  const { status } = await service.call('authenticateCode', '/sdk/v1/otps/authenticate', {
    body: { token: code, method_id: methodId },
  })
  assert.equal(status, 200)
  assert.ok(!log().includes(number) && !log().includes(number.slice(1)), 'the log has no number')
  assert.ok(!log().includes('secret of the provider'))
})

test('repeats a text that a slow provider may have, after a minute', async t => {
  let isSlow = true
  const { posts, port } = await startProvider(t, (posted, reply) => {
    if (!isSlow) accept(posted, reply)
  })
  const { sender, log } = startSender(t, port, { timeoutMs: 100 })
  await request(newNumber())
  sender.wake()
  await until(async () => (await unsent())[0]?.next_attempt_at.getTime() === service.now().getTime() + 60_000)
  assert.match(log(), /"reason":"TimeoutError"/)
  isSlow = false
  service.advance(60_000)
  sender.wake()
  await untilEmpty()
  assert.equal(posts.length, 2)
})

test('drops a text that its provider could not send before its code expired', async t => {
  const { posts, port } = await startProvider(t, refuse(503))
  const { sender } = startSender(t, port)
  await request(newNumber())
  sender.wake()
  await until(async () => (await unsent())[0]?.next_attempt_at.getTime() === service.now().getTime() + 60_000)
  service.advance(5 * 60_000)
  sender.wake()
  await untilEmpty()
  assert.equal(posts.length, 1)
})

test('sends the other texts if the provider refuses one number', async t => {
  const bad = newNumber()
  const { posts, port } = await startProvider(t, (posted, reply) =>
    (posted.form.To === bad ? refuse(400, 21_614) : accept)(posted, reply),
  )
  const { sender, log } = startSender(t, port)
  await request(bad)
  await request(newNumber())
  sender.wake()
  await untilEmpty()
  assert.equal(posts.length, 2)
  assert.match(log(), /"reason":"400 21614".*rejected permanently/)
  assert.ok(!log().includes(bad.slice(1)))
})

test('stores that a number answered STOP, so that the next request explains START', async t => {
  const number = newNumber()
  const { port } = await startProvider(t, refuse(400, 21_610))
  const { sender } = startSender(t, port)
  await request(number)
  sender.wake()
  await untilEmpty()
  const { status, error } = await service.call('sendSmsCode', '/sdk/v1/otps/sms/send/primary', {
    body: { phone_number: number },
  })
  assert.deepEqual([status, error], [400, 'unsubscribed_phone_number'])
})

for (const [what, answer, reason] of [
  ['refuses the credentials', refuse(401, 20_003), '401 20003'],
  ['limits the rate', refuse(429, 20_429), '429 20429'],
  ['fails without words', refuse(500), '500'],
  [
    'redirects',
    ((_posted, reply) => reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()) as Answer,
    '',
  ],
  ['sends an endless answer', ((_posted, reply) => endless(reply)) as Answer, '500'],
] as const) {
  test(`retries a text if the provider ${what}`, async t => {
    const { port } = await startProvider(t, answer)
    const { sender, log } = startSender(t, port)
    await request(newNumber())
    sender.wake()
    await until(async () => /could not be sent; it will be retried/.test(log()))
    assert.equal((await unsent()).length, 1)
    assert.ok(log().includes(`"reason":"${reason}`), log())
    await service.db.deleteFrom('text_outbox').execute()
  })
}

/** Writes until the client has enough. */
function endless(reply: ServerResponse): void {
  reply.writeHead(500)
  const write = () => {
    while (!reply.destroyed && reply.write('x'.repeat(16_384)));
    if (!reply.destroyed) reply.once('drain', write)
  }
  write()
}
