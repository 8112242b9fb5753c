import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Provider, providerNames, providers } from './providers.ts'
import { type Json, type Profile, readProfile } from './read-profile.ts'

const keys = [
  ...['sub', 'id', 'user_id', 'uuid', 'email', 'email_verified', 'verified', 'xms_edov', 'picture', 'locale'],
  ...['data', '0', 'user', 'me', 'open_id', 'externalId', 'avatar', 'avatar_url', 'links', 'href', 'url'],
  ...['https://slack.com/team_id', 'values', 'primary', 'is_primary', '__proto__', 'constructor', 'length'],
]
/** Any JSON with the keys that the table reads. */
const { anything } = fc.letrec(tie => ({
  anything: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      null,
      true,
      false,
      'true',
      0,
      1,
      Number.NaN,
      '',
      'https://a.test/p.png',
      'ada@example.test',
    ),
    fc.string(),
    fc.array(tie('anything'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys), tie('anything'), { maxKeys: 8 }),
  ),
}))

for (const name of providerNames) {
  test(`${name}: rejects any answer or returns a valid profile`, () => {
    const row: Provider = providers[name]
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...keys), anything, { maxKeys: 12 }),
        anything,
        (profile, emails) => {
          const read = readOrNull(row, profile, emails)
          if (read === null) return
          assert.ok(read.subject !== '' && read.subject.length <= 255)
          assert.ok(read.email === null || read.email !== '')
          assert.ok(!read.emailVerified || read.email !== null)
          assert.ok(read.pictureUrl === '' || read.pictureUrl.startsWith('https:'))
          assert.ok(read.locale.length <= 35)
        },
      ),
      { numRuns: 300 },
    )
  })
}

function readOrNull(row: Provider, profile: Json, emails: unknown): Profile | null {
  try {
    return readProfile(row, profile, emails)
  } catch (error) {
    // An intended error, not an accidental one.
    assert.ok(error instanceof Error && /^the (profile|answer) has no /.test(error.message), String(error))
    return null
  }
}
