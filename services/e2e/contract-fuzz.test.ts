import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Harness as AccountHarness, harness as accountHarness } from '@lapwing/account/test/harness'
import account from '@lapwing/contracts/account.json' with { type: 'json' }
import identity from '@lapwing/contracts/identity.json' with { type: 'json' }
import { type Club, createClub } from '@lapwing/identity/test/club'
import { goodPassword, type Harness, harness, origin, publicToken } from '@lapwing/identity/test/harness'
import { type RelyingParty, redirectUri, relyingParty } from '@lapwing/identity/test/relying-party'
import fc from 'fast-check'
import { operationsOf } from './contract-fuzz/operations-of.ts'
import { type Known, requestArbitrary } from './contract-fuzz/request-arbitrary.ts'
import { startIssuer } from './testing/trusted-issuer.ts'

/** A short run for every day; `make fuzz-api` makes a long one, over the network. */
const parameters = {
  numRuns: Number(process.env.FUZZ_API_RUNS ?? 30),
  seed: Number(process.env.FUZZ_SEED ?? 1),
}

let identityService: Harness
let accountService: AccountHarness
let app: RelyingParty
let issuer: Awaited<ReturnType<typeof startIssuer>>
let club: Club
before(async () => {
  identityService = await harness(
    {},
    {
      OAUTH_GOOGLE_CLIENT_ID: 'a',
      OAUTH_GOOGLE_CLIENT_SECRET: 'b',
      // No server listens there.
      OAUTH_GOOGLE_TOKEN_URL: 'http://127.0.0.1:1/token',
    },
  )
  app = await relyingParty(identityService)
  issuer = await startIssuer()
  club = await createClub(identityService, { domains: ['example.com'] })
  await identityService.db
    .insertInto('trusted_profile')
    .values({
      profile_id: 'fuzz',
      issuer: issuer.url,
      audience: 'lapwing',
      keys_url: issuer.keysUrl,
      created_at: identityService.now(),
    })
    .execute()
  accountService = await accountHarness({
    billing: {
      createCustomer: async userId => `customer ${userId}`,
      checkoutPage: async () => 'https://pay.lapwing.test/checkout',
      portalPage: async () => 'https://pay.lapwing.test/portal',
      forgetCustomer: async () => {},
    },
  })
})
after(async () => {
  await identityService?.close()
  await club?.issuer.close()
  await accountService?.close()
  await issuer?.close()
})

/** Returns an access token of an app that may do everything as the person, or less. */
function accessToken(sub: string, scope = 'full_access'): Promise<string> {
  const iat = Math.floor(identityService.now().getTime() / 1_000)
  const claims = { sub, scope, iat, exp: iat + 900, jti: crypto.randomUUID(), client_id: 'app' }
  const more = { iss: origin, aud: `${origin}/api`, authorization_id: 'authorization' }
  return identityService.deps.keys.sign({ ...claims, ...more }, 'at+jwt')
}

for (const operation of operationsOf(identity)) {
  test(`answers any request to ${operation.id} of identity by its contract`, async () => {
    const email = `${operation.id.toLowerCase()}@example.com`
    const { token, emailId, userId } = await identityService.signUp(email)
    const known: Known = {
      profile_id: ['fuzz', 'none'],
      access_token: [await accessToken(userId), await accessToken(userId, 'openid')],
      impersonation_token: [token],
      email: [email, 'new@example.com'],
      email_address: [email, 'new@example.org'],
      login_hint: [email],
      organization_id: [club.organizationId, 'none'],
      connection_id: [club.connectionId, 'none'],
      password: [goodPassword, 'short'],
      existing_password: [goodPassword],
      new_password: ['amber chicane teapot 77'],
      token: [token, '123456', await issuer.sign('lapwing'), await issuer.sign('other')],
      method_id: [emailId],
      id: [emailId, app.clientId, club.organizationId],
      client_id: [app.clientId],
      redirect_uri: [redirectUri],
      post_logout_redirect_uri: ['https://app.example/bye'],
      response_type: ['code', 'token'],
      code_challenge_method: ['S256', 'plain'],
      resource: [`${origin}/api`],
      public_token: [publicToken],
      publicToken: [publicToken],
      provider: ['google', 'discord', 'constructor'],
      projectId: [identityService.deps.settings.projectId],
      session_duration_minutes: [60],
      expiration_minutes: [5],
      login_expiration_minutes: [30],
      signup_expiration_minutes: [30],
      reset_password_expiration_minutes: [30],
      login_redirect_url: [`${origin}/authenticate`],
      signup_redirect_url: [`${origin}/authenticate`],
      login_magic_link_url: [`${origin}/authenticate`],
      signup_magic_link_url: [`${origin}/authenticate`],
      reset_password_redirect_url: [`${origin}/reset`],
      crypto_wallet_address: ['0x52908400098527886E0F7030069857D2E4169EE7', '1'.repeat(32)],
      crypto_wallet_type: ['ethereum', 'solana'],
      signature: [`0x${'11'.repeat(64)}1b`, '1'.repeat(64)],
      uri: [origin],
      chain_id: ['1'],
      not_before: ['2026-03-01T12:00:00Z'],
      oauth_attach_token: [token, ''],
      code_challenge: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    }
    await fc.assert(
      fc.asyncProperty(requestArbitrary(operation, known), async ({ url, body, as }) => {
        // A minute later each time, so that no limit hides other answers.
        identityService.advance(61_000)
        const answer = await identityService.call(operation.id, url, {
          method: operation.method,
          ...(as !== 'nobody' && { as: as === 'somebody' ? token : 'a token nobody has' }),
          ...(body !== undefined && { body }),
        })
        assert.ok(answer.status < 500, JSON.stringify(answer.body))
      }),
      parameters,
    )
  })
}

for (const operation of operationsOf(account)) {
  test(`answers any request to ${operation.id} of account by its contract`, async () => {
    const known: Known = { username: ['Ada Lovelace', operation.id] }
    await fc.assert(
      fc.asyncProperty(requestArbitrary(operation, known), async ({ url, body, as }) => {
        const answer = await accountService.call(operation.id, {
          method: operation.method as 'GET' | 'POST' | 'DELETE',
          url,
          ...(as !== 'nobody' && { as: as === 'somebody' ? `user-${operation.id}` : 'user-of-nobody' }),
          ...(body !== undefined && { body }),
        })
        assert.ok(answer.status < 500, JSON.stringify(answer.body))
      }),
      parameters,
    )
  })
}
