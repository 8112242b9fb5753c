import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createLogger } from '@lapwing/http'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { createSendReply, type SendReply } from './send-reply.ts'
import { startMailbox } from './start-mailbox.ts'

test('finds mails by their recipient in any case, newest first', async t => {
  const mailbox = await harness(t)
  await mailbox.send({ to: 'Ada@Example.test', subject: 'first', text: 'one' })
  await mailbox.send({ to: 'ada@example.test', subject: 'second', text: 'two' })
  await mailbox.send({ to: 'other@example.test', subject: 'third', text: 'three' })
  assert.deepEqual(await mailbox.subjects('?to=ADA@example.test'), ['second', 'first'])
  assert.deepEqual(await mailbox.subjects(''), ['third', 'second', 'first'])
  assert.deepEqual(await mailbox.subjects('?to=nobody@example.test'), [])
})

test('shows the sender, the text, the HTML and all recipients of an opened mail', async t => {
  const mailbox = await harness(t)
  await mailbox.send({
    to: 'ada@example.test',
    bcc: 'hidden@example.test',
    subject: 'Grüße',
    text: 'https://lapwing.test/reset?token=abc',
    html: '<p>Hello <a href="https://lapwing.test/">there</a></p>',
    attachments: [{ filename: 'notes.txt', content: 'four' }],
  })
  const mail = await mailbox.newest()
  assert.equal(mail.subject, 'Grüße')
  assert.equal(mail.from, '"Lapwing" <no-reply@lapwing.test>')
  assert.equal(mail.text.trim(), 'https://lapwing.test/reset?token=abc')
  assert.match(mail.html, /<p>Hello/)
  assert.deepEqual(mail.to, ['ada@example.test', 'hidden@example.test'])
  assert.deepEqual(mail.attachments, [{ name: 'notes.txt', sizeBytes: 4 }])
  assert.equal((await mailbox.app.inject('/api/messages/none')).statusCode, 404)
})

test('shows texts beside mails, and finds them by their number', async t => {
  const mailbox = await harness(t)
  const post = (form: Record<string, string>, headers = { authorization: `Basic ${btoa('a:b')}` }) =>
    mailbox.app.inject({
      method: 'POST',
      url: '/texts',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(form).toString(),
    })
  const text = { To: '+4915112345678', From: '+12015550100', Body: '012345 is your code.' }
  assert.equal((await post(text)).statusCode, 201)
  const message = await post({ ...text, To: 'whatsapp:+4915112345679', From: 'whatsapp:+12015550100' })
  assert.equal(message.statusCode, 201)
  await mailbox.send({ to: 'ada@example.test', subject: 'mail', text: 'x' })
  assert.deepEqual(await mailbox.subjects(''), ['mail', 'WhatsApp message', 'SMS'])
  assert.deepEqual(await mailbox.subjects('?to=%2B4915112345678'), ['SMS'])
  assert.deepEqual(await mailbox.subjects('?q=4915112345679'), ['WhatsApp message'])
  // A page of another site can post a form, but without credentials.
  assert.equal((await post(text, { authorization: '' })).statusCode, 401)
  assert.equal((await post({ ...text, To: 'nobody' })).statusCode, 400)
  assert.equal((await mailbox.subjects('')).length, 3)
})

test('answers STOP to a text, with the signature of a messaging provider', async t => {
  const received: { form: string; signature: unknown }[] = []
  let status = 204
  const lapwing = createServer(async (request, reply) => {
    const form = Buffer.concat(await request.toArray()).toString()
    received.push({ form, signature: request.headers['x-twilio-signature'] })
    reply.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  t.after(() => lapwing.close())
  await once(lapwing, 'listening')
  const url = new URL(`http://127.0.0.1:${(lapwing.address() as AddressInfo).port}/replies`)
  const mailbox = await harness(t, { sendReply: createSendReply(url, 'secret') })
  await mailbox.app.inject({
    method: 'POST',
    url: '/texts',
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `Basic ${btoa('a:b')}` },
    payload: 'To=whatsapp:%2B4915112345678&From=whatsapp:%2B12015550100&Body=x',
  })
  const { id } = await mailbox.newest()
  const answer = (to: string) =>
    mailbox.app.inject({ method: 'POST', url: `/api/messages/${to}/replies`, payload: { words: 'STOP' } })
  assert.equal((await answer(id)).statusCode, 204)
  const form = new URLSearchParams(received[0]!.form)
  const { MessageSid, ...others } = Object.fromEntries(form)
  assert.deepEqual(others, {
    From: 'whatsapp:+4915112345678',
    To: 'whatsapp:+12015550100',
    Body: 'STOP',
  })
  const signed =
    `${url}BodySTOPFromwhatsapp:+4915112345678` + `MessageSid${MessageSid}Towhatsapp:+12015550100`
  assert.equal(received[0]!.signature, createHmac('sha1', 'secret').update(signed).digest('base64'))
  status = 401
  assert.equal((await answer(id)).statusCode, 502)
  await mailbox.send({ to: 'ada@example.test', subject: 'mail', text: 'x' })
  assert.equal((await answer((await mailbox.newest()).id)).statusCode, 502)
  assert.equal((await answer('none')).statusCode, 404)
  assert.equal(received.length, 2)
})

test('finds the mails that have all words of a search', async t => {
  const mailbox = await harness(t)
  await mailbox.send({ to: 'ada@example.test', subject: 'Your code', text: 'It is 123456.' })
  await mailbox.send({ to: 'bob@example.test', subject: 'Your link', text: 'Follow it.' })
  assert.deepEqual(await mailbox.subjects('?q=123456%20CODE'), ['Your code'])
  assert.deepEqual(await mailbox.subjects('?q=your'), ['Your link', 'Your code'])
  assert.deepEqual(await mailbox.subjects('?q=code%20link'), [])
})

test('keeps mails across a restart and ignores half-written files', async t => {
  const before = await harness(t)
  await before.send({ to: 'ada@example.test', subject: 'kept', text: 'x' })
  await before.app.close()
  writeFileSync(join(before.folder, '000000000000001-aaaaaaaa.json'), '{"id":')
  writeFileSync(join(before.folder, '000000000000002-aaaaaaaa.json.new'), '{}')
  const after = await harness(t, { folder: before.folder })
  assert.deepEqual(await after.subjects(''), ['kept'])
  assert.equal(readdirSync(before.folder).length, 1)
})

test('stores only the last mails, in memory and on disk', async t => {
  const mailbox = await harness(t, { maxMails: 3 })
  for (const subject of ['1', '2', '3', '4', '5'])
    await mailbox.send({ to: 'a@example.test', subject, text: 'x' })
  assert.deepEqual(await mailbox.subjects(''), ['5', '4', '3'])
  assert.equal(readdirSync(mailbox.folder).length, 3)
})

test('deletes one mail, those of an address, or all', async t => {
  const mailbox = await harness(t)
  for (const to of ['a@example.test', 'b@example.test', 'b@example.test', 'c@example.test']) {
    await mailbox.send({ to, subject: to, text: 'x' })
  }
  const { id } = await mailbox.newest()
  assert.equal((await mailbox.delete(`/api/messages/${id}`)).statusCode, 204)
  assert.deepEqual(await mailbox.subjects(''), ['b@example.test', 'b@example.test', 'a@example.test'])
  await mailbox.delete('/api/messages?to=B@example.test')
  assert.deepEqual(await mailbox.subjects(''), ['a@example.test'])
  await mailbox.delete('/api/messages')
  assert.deepEqual(await mailbox.subjects(''), [])
  assert.deepEqual(readdirSync(mailbox.folder), [])
})

test('rejects a mail over a megabyte and accepts the next one', async t => {
  const mailbox = await harness(t)
  await assert.rejects(
    mailbox.send({ to: 'a@example.test', subject: 'big', text: 'x '.repeat(600_000) }),
    (error: { responseCode?: number }) => error.responseCode === 552,
  )
  await mailbox.send({ to: 'a@example.test', subject: 'small', text: 'x' })
  assert.deepEqual(await mailbox.subjects(''), ['small'])
})

test('gives a mail no script, no fetch and no access to the mailbox’s origin', async t => {
  const mailbox = await harness(t)
  await mailbox.send({ to: 'a@example.test', subject: 'x', html: '<script>alert(1)</script><p>hi</p>' })
  const { id } = await mailbox.newest()
  const frame = await mailbox.app.inject(`/messages/${id}/html`)
  const policy = String(frame.headers['content-security-policy'])
  assert.match(policy, /^default-src 'none';/)
  assert.match(policy, /; sandbox allow-top-navigation-by-user-activation$/)
  assert.doesNotMatch(policy, /script-src|allow-scripts|allow-same-origin/)
  assert.match(frame.body, /^<!doctype html><base target="_top">/)
  const page = await mailbox.app.inject('/')
  assert.match(String(page.headers['content-security-policy']), /script-src 'self';/)
  assert.doesNotMatch(String(page.headers['content-security-policy']), /unsafe/)
  assert.match(page.body, /sandbox="allow-top-navigation-by-user-activation"/)
})

test('rejects another host name, so that no page of another site can read mails', async t => {
  const mailbox = await harness(t)
  for (const host of ['evil.example', 'evil.example:8025', '127.0.0.1.evil.example']) {
    const answer = await mailbox.app.inject({ url: '/api/messages', headers: { host } })
    assert.equal(answer.statusCode, 421, host)
  }
  for (const host of ['localhost:8025', '127.0.0.1:8025', '[::1]:8025']) {
    const answer = await mailbox.app.inject({ url: '/api/messages', headers: { host } })
    assert.equal(answer.statusCode, 200, host)
  }
})

test('answers in /readyz whether it receives mail, and stops when closed', async t => {
  const mailbox = await harness(t)
  assert.equal((await mailbox.app.inject('/healthz')).statusCode, 200)
  assert.equal((await mailbox.app.inject('/readyz')).statusCode, 200)
  await mailbox.app.close()
  await assert.rejects(
    new Promise((resolve, reject) => {
      connect(mailbox.smtpPort, '127.0.0.1').once('connect', resolve).once('error', reject)
    }),
    /ECONNREFUSED/,
  )
})

async function harness(
  t: TestContext,
  options: { folder?: string; maxMails?: number; sendReply?: SendReply } = {},
) {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'lapwing-mailbox-'))
  const { app, smtpPort } = await startMailbox({
    folder,
    smtpPort: 0,
    loopbackOnly: true,
    logger: createLogger('mailbox', 'silent'),
    ...(options.maxMails === undefined ? {} : { maxMails: options.maxMails }),
    ...(options.sendReply && { sendReply: options.sendReply }),
  })
  const transport = createTransport({ host: '127.0.0.1', port: smtpPort, ignoreTLS: true })
  t.after(async () => {
    transport.close()
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const list = async (query: string) => (await app.inject(`/api/messages${query}`)).json().messages
  return {
    app,
    folder,
    smtpPort,
    send: (mail: SendMailOptions) => transport.sendMail({ from: 'Lapwing <no-reply@lapwing.test>', ...mail }),
    delete: (url: string) => app.inject({ method: 'DELETE', url }),
    subjects: async (query: string) => (await list(query)).map(({ subject }: { subject: string }) => subject),
    newest: async () => (await app.inject(`/api/messages/${(await list(''))[0].id}`)).json(),
  }
}
