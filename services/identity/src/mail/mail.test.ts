import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, type TestContext, test } from 'node:test'
import { freePort } from '@lapwing/dev-servers/free-port'
import { metricsText } from '@lapwing/metrics'
import { until } from '@lapwing/testing/until.ts'
import { pino } from 'pino'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { type Harness, harness, linkIn } from '../test/harness.ts'
import { createMailSender, createSmtpDelivery, type MailSenderOptions } from './mail-sender.ts'
import { type MailKind, mails } from './mails.ts'
import { renderMail } from './render-mail.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const requestReset = (email: string) =>
  service.call('startPasswordReset', '/sdk/v1/passwords/email/reset/start', { body: { email } })
const sender = (deliver: MailSenderOptions['deliver']) =>
  createMailSender({
    db: service.db,
    cipher: service.deps.cipher,
    deliver,
    now: service.now,
    logger: pino({ level: 'silent' }),
    pollMs: 3_600_000,
  })
/** Returns how many mails ended so. */
async function counted(outcome: string): Promise<number> {
  const name = `lapwing_mails_total{outcome="${outcome}"`
  const line = (await metricsText()).split('\n').find(line => line.startsWith(name))!
  return Number(line.split(' ').at(-1))
}
const unsentMails = () =>
  service.db.selectFrom('mail_outbox').selectAll().where('finished_at', 'is', null).execute()

test('answers requests while the mail server is down, and delivers the mail after ten minutes', async t => {
  const port = await freePort()
  const smtp = createSmtpDelivery(new URL(`smtp://127.0.0.1:${port}`), 'Lapwing <no-reply@lapwing.test>')
  t.after(() => smtp.close())
  const mailSender = sender(smtp.deliver)
  t.after(() => mailSender.close())
  await service.signUp('waiting@example.com')
  const downSince = service.now().getTime()
  assert.equal((await requestReset('waiting@example.com')).status, 200)
  for (let attempts = 1; service.now().getTime() < downSince + 10 * 60_000; attempts++) {
    mailSender.wake()
    const pauseMs = Math.min(1_000 * 2 ** (attempts - 1), 300_000)
    await until(
      async () => (await unsentMails())[0]?.next_attempt_at.getTime() === service.now().getTime() + pauseMs,
    )
    service.advance(pauseMs)
  }

  const arrived: Buffer[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        arrived.push(Buffer.concat(chunks))
        done()
      })
    },
  })
  server.listen(port, '127.0.0.1')
  t.after(() => new Promise<void>(resolve => server.close(() => resolve())))
  mailSender.wake()
  await until(async () => (await unsentMails()).length === 0)
  assert.equal(arrived.length, 1)
  assert.ok((await counted('sent')) >= 1)
  const mail = await PostalMime.parse(arrived[0]!)
  assert.equal(mail.subject, 'Reset your Lapwing password')
  assert.deepEqual(mail.from, { name: 'Lapwing', address: 'no-reply@lapwing.test' })
  assert.match(String(mail.html), /<h1[^>]*>Choose a new password<\/h1>/)
  const link = linkIn({ text: mail.text! })
  assert.equal(link.pathname, '/reset')
  const { status } = await service.call('resetPasswordByEmail', '/sdk/v1/passwords/email/reset', {
    body: { token: link.searchParams.get('token'), password: 'quiet marshal umbrella 7' },
  })
  assert.equal(status, 200, 'the link still works')
  mailSender.wake()
  await until(async () => (await unsentMails()).length === 0)
})

test('retries a mail after 1, 2, 4 … seconds until its link expires', async t => {
  let attempts = 0
  const [failed, expired] = [await counted('failed'), await counted('expired')]
  const mailSender = sender(async () => {
    attempts++
    throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  })
  t.after(() => mailSender.close())
  await requestReset('backoff@example.com')
  for (const pauseMs of [1_000, 2_000, 4_000, 8_000]) {
    mailSender.wake()
    await until(
      async () => (await unsentMails())[0]?.next_attempt_at.getTime() === service.now().getTime() + pauseMs,
    )
    service.advance(pauseMs - 1)
    const before = attempts
    mailSender.wake()
    await until(async () => (await unsentMails()).length === 1)
    assert.equal(attempts, before)
    service.advance(1)
  }
  assert.equal(attempts, 4)
  service.advance(60 * 60_000)
  mailSender.wake()
  await until(async () => (await unsentMails()).length === 0)
  assert.equal(attempts, 4)
  assert.deepEqual([await counted('failed'), await counted('expired')], [failed + 4, expired + 1])
})

test('does not retry a mail that the server rejects permanently', async t => {
  let attempts = 0
  const rejected = await counted('rejected')
  const mailSender = sender(async () => {
    attempts++
    throw Object.assign(new Error('no such user'), { responseCode: 550, command: 'RCPT TO' })
  })
  t.after(() => mailSender.close())
  await requestReset('refused@example.com')
  mailSender.wake()
  await until(async () => (await unsentMails()).length === 0)
  assert.equal(attempts, 1)
  assert.equal(await counted('rejected'), rejected + 1)
})

/** Starts an SMTP server with these handlers and returns its address. */
async function startSmtpServer(t: TestContext, options: SMTPServerOptions): Promise<URL> {
  // The client keeps its connections, and closing would wait for them.
  const server = new SMTPServer({ disabledCommands: ['STARTTLS'], closeTimeout: 1, ...options })
  // Tests break its connections on purpose.
  server.on('error', () => {})
  const port = await freePort()
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  t.after(() => new Promise<void>(resolve => server.close(() => resolve())))
  return new URL(`smtp://127.0.0.1:${port}`)
}

test('waits a minute before it repeats a mail that may have arrived', async t => {
  let arrived = 0
  const sockets = new Set<Socket>()
  const url = await startSmtpServer(t, {
    authOptional: true,
    onData(stream) {
      stream.resume()
      stream.on('end', () => {
        arrived++
        for (const socket of sockets) socket.destroy()
      })
    },
  })
  // The server accepts the mail, but its answer is lost.
  const proxy = createServer(client => {
    const server = connect(Number(url.port), '127.0.0.1')
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    client.pipe(server).pipe(client)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  t.after(() => proxy.close())
  const { port } = proxy.address() as AddressInfo
  const smtp = createSmtpDelivery(new URL(`smtp://127.0.0.1:${port}`), 'Lapwing <no-reply@lapwing.test>')
  t.after(() => smtp.close())
  let failed = 0
  const mailSender = sender((mailId, mail) => smtp.deliver(mailId, mail).finally(() => failed++))
  t.after(() => mailSender.close())

  await service.db.deleteFrom('mail_outbox').execute()
  await requestReset('uncertain@example.com')
  mailSender.wake()
  await until(() => failed === 1)
  await mailSender.close()
  assert.equal(arrived, 1)
  const [mail] = await unsentMails()
  assert.equal(mail?.next_attempt_at.getTime(), service.now().getTime() + 60_000)
  await service.db.deleteFrom('mail_outbox').execute()
})

test('delivers mails after the mail server accepts the credentials', async t => {
  const arrived: string[] = []
  let isRefusing = true
  const url = await startSmtpServer(t, {
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) =>
      isRefusing
        ? done(Object.assign(new Error('Authentication failed'), { responseCode: 535 }))
        : done(null, { user: 'lapwing' }),
    onData(stream, session, done) {
      stream.resume()
      stream.on('end', () => {
        arrived.push(...session.envelope.rcptTo.map(({ address }) => address))
        done()
      })
    },
  })
  url.username = 'lapwing'
  url.password = 'secret'
  const smtp = createSmtpDelivery(url, 'Lapwing <no-reply@lapwing.test>')
  t.after(() => smtp.close())
  let failed = 0
  const mailSender = sender((mailId, mail) => smtp.deliver(mailId, mail).finally(() => failed++))
  t.after(() => mailSender.close())
  await service.db.deleteFrom('mail_outbox').execute()
  await requestReset('credentials@example.com')
  mailSender.wake()
  await until(() => failed === 1)
  isRefusing = false
  await until(
    async () => (await unsentMails())[0]?.next_attempt_at.getTime() === service.now().getTime() + 1_000,
  )
  service.advance(1_000)
  mailSender.wake()
  await until(async () => (await unsentMails()).length === 0)
  assert.deepEqual(arrived, ['credentials@example.com'])
})

test('sends each mail once with two senders, and deletes its content', async t => {
  const sent: string[] = []
  const senders = [0, 1].map(() =>
    sender(async mailId => {
      sent.push(mailId)
    }),
  )
  t.after(() => Promise.all(senders.map(mailSender => mailSender.close())))
  await Promise.all(Array.from({ length: 25 }, (_, index) => requestReset(`many.${index}@example.com`)))
  for (const mailSender of senders) mailSender.wake()
  await until(async () => (await unsentMails()).length === 0)
  assert.equal(sent.length, 25)
  assert.equal(new Set(sent).size, 25)
  const stored = await service.db
    .selectFrom('mail_outbox')
    .select('mail_id')
    .where('content_sealed', 'is not', null)
    .execute()
  assert.deepEqual(stored, [])
})

test('stores all mails with the same size, so that the time reveals no account', async () => {
  await service.signUp('roomy@example.com')
  await requestReset('roomy@example.com')
  await requestReset('nobody.at.all@example.com')
  const rows = await service.db
    .selectFrom('mail_outbox')
    .select('content_sealed')
    .where('kind', 'in', ['reset_password', 'no_account'])
    .where('content_sealed', 'is not', null)
    .execute()
  assert.ok(rows.length >= 2)
  assert.equal(new Set(rows.map(row => row.content_sealed!.length)).size, 1)
})

test('seals a waiting mail', async () => {
  await requestReset('sealed@example.com')
  const [row] = await unsentMails()
  assert.ok(!row!.content_sealed!.toString('latin1').includes('sealed@example.com'))
  assert.equal((await service.mailsTo('sealed@example.com')).length, 1)
})

const examples: { readonly [Kind in MailKind]: Parameters<(typeof mails)[Kind]>[0] } = {
  reset_password: { url: 'https://lapwing.test/reset?a=1&token=x', minutes: 30 },
  login: { url: 'https://lapwing.test/authenticate?token=x', minutes: 30 },
  signup: { url: 'https://lapwing.test/authenticate?token=x', minutes: 10_080 },
  add_email: { url: 'https://lapwing.test/authenticate?token=x', minutes: 180 },
  code: { code: '012345', minutes: 5 },
  add_code: { code: '012345', minutes: 5 },
  no_account: { url: 'https://lapwing.test/' },
  already_registered: { url: 'https://lapwing.test/' },
  password_changed: { url: 'https://lapwing.test/' },
  provider_added: { url: 'https://lapwing.test/', provider: 'Google' },
  totp_added: { url: 'https://lapwing.test/' },
  totp_removed: { url: 'https://lapwing.test/' },
  recovery_code_used: { url: 'https://lapwing.test/' },
  codes_guessed: { url: 'https://lapwing.test/' },
  passkey_added: { url: 'https://lapwing.test/' },
  passkey_removed: { url: 'https://lapwing.test/' },
  phone_added: { url: 'https://lapwing.test/' },
  phone_removed: { url: 'https://lapwing.test/' },
  social_added: { url: 'https://lapwing.test/' },
  social_removed: { url: 'https://lapwing.test/' },
  impersonated: { url: 'https://lapwing.test/' },
  wallet_added: { url: 'https://lapwing.test/' },
  wallet_removed: { url: 'https://lapwing.test/' },
  app_connected: { url: 'https://lapwing.test/' },
  organization_joined: { url: 'https://lapwing.test/' },
}

for (const [kind, data] of Object.entries(examples)) {
  test(`renders the ${kind} mail with the same words as text and HTML, without scripts or loads`, () => {
    const text = mails[kind as MailKind](data as never)
    const mail = renderMail('Lapwing', text)
    for (const line of [text.title, ...text.lines, text.note]) {
      assert.ok(mail.text.includes(line))
      assert.ok(mail.html.includes(line.replaceAll('"', '&quot;')))
    }
    assert.doesNotMatch(mail.html, /<script|<img|<link|@import|url\(| on\w+=/i)
    assert.match(mail.html, /<html lang="en">/)
    const links = [...mail.html.matchAll(/href="([^"]*)"/g)].map(match => match[1])
    assert.ok(links.every(link => link!.startsWith('https://lapwing.test/')))
  })
}

test('escapes HTML in the texts of a mail', () => {
  const { html } = renderMail('Lapwing', {
    subject: '"><script>',
    title: '<img src=x>',
    lines: ['a & b', '<b>'],
    button: { label: '<i>', url: 'https://lapwing.test/?a="onclick="x' },
    note: "'",
  })
  assert.doesNotMatch(html, /<script|<img|<b>|<i>|"onclick/)
})
