import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTransport } from 'nodemailer'
import { IdentityError } from '../errors.ts'
import { readEmail } from './email-address.ts'

for (const [typed, address, key] of [
  ['driver@example.com', 'driver@example.com', 'driver@example.com'],
  ['  Driver+iRacing@Example.COM\n', 'Driver+iRacing@Example.COM', 'driver+iracing@example.com'],
  ['ｄｒｉｖｅｒ＠example.com', 'driver@example.com', 'driver@example.com'],
  ['fahrer@BÜCHER.example', 'fahrer@BÜCHER.example', 'fahrer@xn--bcher-kva.example'],
  ['водитель@example.com', 'водитель@example.com', 'водитель@example.com'],
  ["o'neil@mail.co.uk", "o'neil@mail.co.uk", "o'neil@mail.co.uk"],
] as const) {
  test(`reads ${JSON.stringify(typed)} as ${key}`, () => {
    assert.deepEqual(readEmail(typed), { address, key })
  })
}

const read = (typed: string) => {
  try {
    return readEmail(typed)
  } catch (error) {
    assert.ok(error instanceof IdentityError && error.code === 'invalid_email')
    return null
  }
}

test('accepts only addresses that cannot break a mail’s header', () => {
  const typed = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.emailAddress(),
    fc.tuple(fc.string(), fc.string()).map(([local, domain]) => `${local}@${domain}.com`),
  )
  fc.assert(
    fc.property(typed, text => {
      const email = read(text)
      if (email === null) return
      assert.doesNotMatch(email.address, /[\s\p{Cc},;<>"]/u)
      assert.ok(email.address.length <= 254)
      assert.equal(email.key, email.key.toLowerCase())
    }),
    { numRuns: 2_000 },
  )
})

for (const end of ['\\ x', '\\x', '\\\n.com', '/x', '?x', '#x', ':80', '%2e', '\t', '\u0000', '\u2028.com']) {
  test(`rejects ${JSON.stringify(end)} behind a domain, so that no address has the key of another`, () => {
    assert.equal(read(`driver@lapwing.com${end}.com`), null)
    assert.equal(read(`driver@lapwing.com${end}`)?.address ?? 'driver@lapwing.com', 'driver@lapwing.com')
  })
}

test('has the domain in its key to which a mail to the address goes', async () => {
  const mailer = createTransport({ jsonTransport: true })
  for (const domain of [
    'BÜCHER.example',
    'ΟΔΟΣ.example',
    'STRAẞE.example',
    'rac\u00ading.example',
    'racing。example',
  ]) {
    const { address, key } = readEmail(`driver@${domain}`)
    const { envelope } = await mailer.sendMail({ to: { name: '', address }, text: '' })
    assert.deepEqual(envelope.to, [key])
  }
})

test('reads a normalised address unchanged, and in capitals with the same key', () => {
  fc.assert(
    fc.property(fc.emailAddress(), text => {
      const email = read(text)
      if (email === null) return
      assert.deepEqual(readEmail(email.address), email)
      assert.equal(readEmail(email.address.toUpperCase()).key, email.key)
    }),
  )
})
