import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, type TestContext, test } from 'node:test'
import { freePort } from '@lapwing/dev-servers/free-port'
import { until } from '@lapwing/testing/until.ts'
import { simpleParser } from 'mailparser'
import { pino } from 'pino'
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

const reset = (email: string) =>
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
const open = () => service.db.selectFrom('mail_outbox').selectAll().where('finished_at', 'is', null).execute()

test('while the mail server is down for ten minutes people are answered, and their mail arrives when it is back', async t => {
  const port = await freePort()
  const smtp = createSmtpDelivery(new URL(`smtp://127.0.0.1:${port}`), 'Lapwing <no-reply@lapwing.test>')
  t.after(() => smtp.close())
  const mailSender = sender(smtp.deliver)
  t.after(() => mailSender.close())
  await service.signUp('waiting@example.com')
  const downSince = service.now().getTime()
  assert.equal((await reset('waiting@example.com')).status, 200)
  for (let attempts = 1; service.now().getTime() < downSince + 10 * 60_000; attempts++) {
    mailSender.wake()
    const pauseMs = Math.min(1_000 * 2 ** (attempts - 1), 300_000)
    await until(
      async () => (await open())[0]?.next_attempt_at.getTime() === service.now().getTime() + pauseMs,
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
  await until(async () => (await open()).length === 0)
  assert.equal(arrived.length, 1)
  const mail = await simpleParser(arrived[0]!)
  assert.equal(mail.subject, 'Reset your Lapwing password')
  assert.equal(mail.from?.text, '"Lapwing" <no-reply@lapwing.test>')
  assert.match(String(mail.html), /<h1[^>]*>Choose a new password<\/h1>/)
  const link = linkIn({ text: mail.text! })
  assert.equal(link.pathname, '/reset')
  const { status } = await service.call('resetPasswordByEmail', '/sdk/v1/passwords/email/reset', {
    body: { token: link.searchParams.get('token'), password: 'quiet marshal umbrella 7' },
  })
  assert.equal(status, 200, 'the link is still good')
  mailSender.wake()
  await until(async () => (await open()).length === 0)
})

test('a mail is tried after 1, 2, 4 … seconds, and not any more once its link is worth nothing', async t => {
  let attempts = 0
  const mailSender = sender(async () => {
    attempts++
    throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  })
  t.after(() => mailSender.close())
  await reset('backoff@example.com')
  for (const pauseMs of [1_000, 2_000, 4_000, 8_000]) {
    mailSender.wake()
    await until(
      async () => (await open())[0]?.next_attempt_at.getTime() === service.now().getTime() + pauseMs,
    )
    service.advance(pauseMs - 1)
    const before = attempts
    mailSender.wake()
    await until(async () => (await open()).length === 1)
    assert.equal(attempts, before)
    service.advance(1)
  }
  assert.equal(attempts, 4)
  service.advance(60 * 60_000)
  mailSender.wake()
  await until(async () => (await open()).length === 0)
  assert.equal(attempts, 4)
})

test('a mail that its server refuses for good is not tried again', async t => {
  let attempts = 0
  const mailSender = sender(async () => {
    attempts++
    throw Object.assign(new Error('no such user'), { responseCode: 550, command: 'RCPT TO' })
  })
  t.after(() => mailSender.close())
  await reset('refused@example.com')
  mailSender.wake()
  await until(async () => (await open()).length === 0)
  assert.equal(attempts, 1)
})

/** An SMTP server on a port of its own that does as it is told with what arrives. */
async function smtpServer(t: TestContext, options: SMTPServerOptions): Promise<URL> {
  const server = new SMTPServer({ disabledCommands: ['STARTTLS'], ...options })
  // It is meant to break off.
  server.on('error', () => {})
  const port = await freePort()
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  t.after(() => new Promise<void>(resolve => server.close(() => resolve())))
  return new URL(`smtp://127.0.0.1:${port}`)
}

test('a mail that may have arrived before the connection broke is not sent again within a minute', async t => {
  let arrived = 0
  const sockets = new Set<Socket>()
  const url = await smtpServer(t, {
    authOptional: true,
    onData(stream) {
      stream.resume()
      stream.on('end', () => {
        arrived++
        for (const socket of sockets) socket.destroy()
      })
    },
  })
  // The server keeps the mail, and the answer that says so is lost.
  const between = createServer(client => {
    const server = connect(Number(url.port), '127.0.0.1')
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    client.pipe(server).pipe(client)
  })
  await new Promise<void>(resolve => between.listen(0, '127.0.0.1', resolve))
  t.after(() => between.close())
  const { port } = between.address() as AddressInfo
  const smtp = createSmtpDelivery(new URL(`smtp://127.0.0.1:${port}`), 'Lapwing <no-reply@lapwing.test>')
  t.after(() => smtp.close())
  let failed = 0
  const mailSender = sender((mailId, mail) => smtp.deliver(mailId, mail).finally(() => failed++))
  t.after(() => mailSender.close())

  await service.db.deleteFrom('mail_outbox').execute()
  await reset('uncertain@example.com')
  mailSender.wake()
  await until(() => failed === 1)
  await mailSender.close()
  assert.equal(arrived, 1)
  const [mail] = await open()
  assert.equal(mail?.next_attempt_at.getTime(), service.now().getTime() + 60_000)
  await service.db.deleteFrom('mail_outbox').execute()
})

test('mails wait while the mail server does not take the credentials, and go out once it does', async t => {
  const arrived: string[] = []
  let isRefusing = true
  const url = await smtpServer(t, {
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
  await reset('credentials@example.com')
  mailSender.wake()
  await until(() => failed === 1)
  isRefusing = false
  await until(async () => (await open())[0]?.next_attempt_at.getTime() === service.now().getTime() + 1_000)
  service.advance(1_000)
  mailSender.wake()
  await until(async () => (await open()).length === 0)
  assert.deepEqual(arrived, ['credentials@example.com'])
})

test('two senders send each mail once, and of what was sent no text is kept', async t => {
  const sent: string[] = []
  const senders = [0, 1].map(() =>
    sender(async mailId => {
      sent.push(mailId)
    }),
  )
  t.after(() => Promise.all(senders.map(mailSender => mailSender.close())))
  await Promise.all(Array.from({ length: 25 }, (_, index) => reset(`many.${index}@example.com`)))
  for (const mailSender of senders) mailSender.wake()
  await until(async () => (await open()).length === 0)
  assert.equal(sent.length, 25)
  assert.equal(new Set(sent).size, 25)
  const kept = await service.db
    .selectFrom('mail_outbox')
    .select('mail_id')
    .where('content_sealed', 'is not', null)
    .execute()
  assert.deepEqual(kept, [])
})

test('no mail takes more room than another, so that none tells by its time whether an account exists', async () => {
  await service.signUp('roomy@example.com')
  await reset('roomy@example.com')
  await reset('nobody.at.all@example.com')
  const rows = await service.db
    .selectFrom('mail_outbox')
    .select('content_sealed')
    .where('kind', 'in', ['reset_password', 'no_account'])
    .where('content_sealed', 'is not', null)
    .execute()
  assert.ok(rows.length >= 2)
  assert.equal(new Set(rows.map(row => row.content_sealed!.length)).size, 1)
})

test('a mail that waits is sealed', async () => {
  await reset('sealed@example.com')
  const [row] = await open()
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
}

for (const [kind, data] of Object.entries(examples)) {
  test(`the ${kind} mail says the same as text and as HTML, fetches nothing and runs nothing`, () => {
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

test('what is put into a mail cannot become part of its HTML', () => {
  const { html } = renderMail('Lapwing', {
    subject: '"><script>',
    title: '<img src=x>',
    lines: ['a & b', '<b>'],
    button: { label: '<i>', url: 'https://lapwing.test/?a="onclick="x' },
    note: "'",
  })
  assert.doesNotMatch(html, /<script|<img|<b>|<i>|"onclick/)
})
