import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { goodPassword, type Harness, harness, linkIn } from '../test/harness.ts'
import { issueToken } from './token.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

/** The call that uses each kind of token, and its error for an unusable one. */
const USES = {
  magic_links: {
    error: 'unable_to_auth_magic_link',
    use: (token: string) =>
      service.call('authenticateMagicLink', '/sdk/v1/magic_links/authenticate', { body: { token } }),
  },
  reset_password: {
    error: 'unable_to_auth_password_reset_token',
    use: (token: string) =>
      service.call('resetPasswordByEmail', '/sdk/v1/passwords/email/reset', {
        body: { token, password: goodPassword },
      }),
  },
  oauth: {
    error: 'oauth_token_not_found',
    use: (token: string) =>
      service.call('authenticateOAuth', '/sdk/v1/oauth/authenticate', { body: { token } }),
  },
} as const

type Kind = keyof typeof USES

/** Issues a usable token of each kind for one person. */
async function issueTokens(email: string): Promise<Readonly<Record<Kind, string>>> {
  await service.call('sendMagicLink', '/sdk/v1/magic_links/email/send/primary', { body: { email } })
  await service.call('startPasswordReset', '/sdk/v1/passwords/email/reset/start', { body: { email } })
  const mails = await service.mailsTo(email)
  const mailed = (kind: string) => linkIn(mails.find(mail => mail.kind === kind)!).searchParams.get('token')!
  const profile = { subject: email, email: null, emailVerified: false, pictureUrl: '', locale: '' }
  return {
    magic_links: mailed('login'),
    reset_password: mailed('reset_password'),
    oauth: await service.deps.change(work =>
      issueToken(work, {
        kind: 'oauth',
        userId: null,
        data: { provider: 'google', profile },
        codeChallenge: undefined,
        minutes: 5,
      }),
    ),
  }
}

for (const kind of Object.keys(USES) as Kind[]) {
  test(`accepts a token of ${kind} only in its own call`, async () => {
    const email = `${kind}@example.com`
    const session = await service.signUp(email)
    const tokens = await issueTokens(email)
    for (const [other, { use, error }] of Object.entries(USES)) {
      if (other === kind) continue
      assert.equal((await use(tokens[kind])).error, error, other)
    }
    assert.equal((await USES[kind].use(tokens[kind])).status, 200)
    // Session tokens do not work as other tokens, nor the other way round.
    assert.equal((await USES[kind].use(session.token)).error, USES[kind].error)
    const as = tokens[kind]
    const authenticate = '/sdk/v1/sessions/authenticate'
    assert.equal(
      (await service.call('authenticateSession', authenticate, { as, body: {} })).error,
      'session_not_found',
    )
  })
}
