import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueImpersonation } from './impersonation/impersonation.repository.ts'
import { recordOrganizationEvent } from './organizations/organization.repository.ts'
import { sweep } from './sweep.ts'
import { harness } from './test/harness.ts'
import { newWallet } from './test/wallets.ts'
import { waysIn } from './test/ways-in.ts'

test('deletes expired rows and no others', async t => {
  const service = await harness()
  t.after(() => service.close())
  const count = async () => {
    const tables = [
      'session',
      'token',
      'code',
      'attempt',
      'revoked_session',
      'mail_outbox',
      'text_outbox',
      'text_refusal',
      'totp',
      'wallet_challenge',
    ] as const
    const counts = await Promise.all(
      tables.map(async table => (await service.db.selectFrom(table).selectAll().execute()).length),
    )
    return Object.fromEntries(tables.map((table, index) => [table, counts[index]]))
  }
  await service.signUp('stays@example.com')
  const { token } = await service.signUp('ends@example.com')
  await service.call('revokeSession', '/sdk/v1/sessions/revoke', { as: token })
  await service.call('startPasswordReset', '/sdk/v1/passwords/email/reset/start', {
    body: { email: 'stays@example.com' },
  })
  await service.call('sendEmailCode', '/sdk/v1/otps/email/send/primary', {
    body: { email: 'stays@example.com' },
  })
  await service.call('sendSmsCode', '/sdk/v1/otps/sms/send/primary', {
    body: { phone_number: '+12015550123' },
  })
  await service.db.updateTable('text_outbox').set({ finished_at: service.now() }).execute()
  await service.deps.refusals.store('sms', '+12015550123')
  await waysIn(service).startWallet(newWallet('ethereum'))
  const { token: other } = await service.signUp('other@example.com')
  await waysIn(service).createApp(other)
  await service.db.updateTable('mail_outbox').set({ finished_at: service.now() }).execute()
  const all = await count()
  assert.ok(
    Object.values(all).every(rows => rows! > 0),
    JSON.stringify(all),
  )
  await sweep(service.deps)
  assert.deepEqual(await count(), all)
  service.advance(25 * 3_600_000)
  await sweep(service.deps)
  assert.ok(Object.values(await count()).every(rows => rows === 0))
  assert.equal((await service.db.selectFrom('person').select('user_id').execute()).length, 3)
})

test('keeps the records of operators and organizations for 400 days', async t => {
  const service = await harness()
  t.after(() => service.close())
  const { userId } = await service.signUp('watched@example.com')
  await service.deps.change(work =>
    issueImpersonation(work, { userId, operator: 'operator@example.com', reason: 'help' }),
  )
  await service.deps.change(work => recordOrganizationEvent(work, 'member_joined', 'an id', { userId }))
  for (const [days, rows] of [
    [399, 1],
    [2, 0],
  ] as const) {
    service.advance(days * 24 * 3_600_000)
    await sweep(service.deps)
    for (const table of ['impersonation', 'organization_event'] as const) {
      assert.equal((await service.db.selectFrom(table).select('user_id').execute()).length, rows, table)
    }
  }
})

test('deletes a challenge when it expires, but neither a link nor a confirmed app', async t => {
  const service = await harness()
  t.after(() => service.close())
  const ways = waysIn(service)
  const { token: withApp } = await ways.signUpWithApp('confirmed@example.com')
  await service.call('startPasswordReset', '/sdk/v1/passwords/email/reset/start', {
    body: { email: 'confirmed@example.com' },
  })
  const { token } = await ways.addPasskey(withApp)
  await ways.startPasskeyInSession(token)
  const kinds = async () => {
    const rows = await service.db
      .selectFrom('token')
      .select('kind')
      .where('used_at', 'is', null)
      .orderBy('kind')
      .execute()
    return rows.map(({ kind }) => kind)
  }
  assert.deepEqual(await kinds(), ['reset_password', 'webauthn_login'])
  service.advance(61 * 60_000)
  await sweep(service.deps)
  assert.deepEqual(await kinds(), ['reset_password'])
  assert.equal((await service.db.selectFrom('totp').select('totp_id').execute()).length, 1)
})
