import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import * as openid from 'openid-client'
import { goodPassword, harness, linkIn } from './test/harness.ts'
import { relyingParty } from './test/relying-party.ts'
import { newWallet } from './test/wallets.ts'
import { waysIn } from './test/ways-in.ts'

test('keeps working if a later version adds columns', async t => {
  const service = await harness()
  t.after(() => service.close())
  const post = (operationId: string, path: string, body: object, as?: string) =>
    service.call(operationId, `/sdk/v1${path}`, { body, ...(as !== undefined && { as }) })

  /** Runs nearly every statement of the service. */
  async function runStatements(email: string): Promise<void> {
    const { token } = await service.signUp(email)
    const ok = async (answer: ReturnType<typeof post>) => {
      const { status, body } = await answer
      assert.equal(status, 200, JSON.stringify(body))
    }
    await ok(post('authenticatePassword', '/passwords/authenticate', { email, password: goodPassword }))
    await ok(
      post('authenticatePassword', '/passwords/authenticate', { email, password: goodPassword }, token),
    )
    await ok(post('searchUser', '/users/search', { email }))
    await ok(post('startPasswordReset', '/passwords/email/reset/start', { email }))
    const reset = linkIn((await service.mailsTo(email))[0]!).searchParams.get('token')
    const password = 'quiet marshal umbrella 7'
    const answer = await post('resetPasswordByEmail', '/passwords/email/reset', { token: reset, password })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const as = answer.data.session_token as string
    await ok(service.call('getMe', '/sdk/v1/users/me', { method: 'GET', as }))
    await ok(post('authenticateSession', '/sessions/authenticate', {}, as))
    await ok(post('sendMagicLink', '/magic_links/email/send/primary', { email }))
    await ok(post('sendEmailCodeOrCreate', '/otps/email/login_or_create', { email }))
    await ok(post('sendSmsCodeOrCreate', '/otps/sms/login_or_create', { phone_number: '+12015550123' }))
    const ways = waysIn(service)
    const app = await ways.createApp(as)
    const { data } = await ways.typeCode(as, app.code())
    await ok(ways.recover(data.session_token, app.recoveryCodes[0]!))
    const half = await post('authenticatePassword', '/passwords/authenticate', { email, password })
    const whole = await ways.recover(half.data.session_token, app.recoveryCodes[1]!)
    await ok(ways.recoveryCodes(whole.data.session_token))
    const { authenticator, token: withPasskey } = await ways.addPasskey(whole.data.session_token)
    await ok(ways.usePasskey(authenticator.get(await ways.challenge())))
    await service.db.updateTable('email').set({ verified: true }).where('address', '=', email).execute()
    const wallet = newWallet('ethereum')
    const withWallet = await ways.addWallet(wallet, withPasskey)
    await ok(ways.enterByWallet(wallet))
    const party = await relyingParty(service)
    const tokens = await party.connect(withWallet.data.session_token)
    await openid.tokenRevocation(
      party.config,
      (await openid.refreshTokenGrant(party.config, tokens.refresh_token!)).access_token,
    )
    await ok(post('revokeSession', '/sessions/revoke', {}, withWallet.data.session_token))
    await ok(service.call('getWellKnownJwks', '/.well-known/jwks.json', { method: 'GET' }))
  }

  await runStatements('before@example.com')
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'identity'`.execute(service.db)
  for (const { name } of rows) {
    await sql`alter table ${sql.table(name)} add column added_later text`.execute(service.db)
  }
  // After a minute the service reads the keys again.
  service.advance(61_000)
  await runStatements('after@example.com')
})
