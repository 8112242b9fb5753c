import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServiceTokenSigner } from '@lapwing/auth'
import { type Harness, harness, internalKey } from '../test/harness.ts'
import { lockUser } from '../users/lock-user.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

async function ask(userIds: readonly string[], authorization?: string) {
  const query = new URLSearchParams(userIds.map((id): [string, string] => ['user_id', id]))
  const signed = `Bearer ${await createServiceTokenSigner(internalKey, 'identity')()}`
  return service.app.inject({
    url: `/internal/people?${query}`,
    headers: { authorization: authorization ?? signed },
  })
}

async function isVerified(userId: string): Promise<boolean> {
  const { people } = (await ask([userId])).json<{ people: { user_id: string; is_verified: boolean }[] }>()
  assert.deepEqual(
    people.map(({ user_id }) => user_id),
    [userId],
  )
  return people[0]!.is_verified
}

async function setVerified(userId: string, verified: boolean): Promise<void> {
  await service.db.updateTable('email').set({ verified }).where('user_id', '=', userId).execute()
}

test('returns for each known account whether its address is verified and when it was created', async () => {
  const young = await service.signUp('young@example.com')
  const proved = await service.signUp('proved@example.com')
  await setVerified(proved.userId, true)
  const answer = await ask([young.userId, proved.userId, 'user-live-unknown'])
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['cache-control'], 'no-store')
  const { people } = answer.json<{ people: Record<string, unknown>[] }>()
  const created_at = service.now().toISOString()
  assert.deepEqual(
    people.toSorted((a, b) => Number(a.is_verified) - Number(b.is_verified)),
    [
      { user_id: young.userId, created_at, is_verified: false },
      { user_id: proved.userId, created_at, is_verified: true },
    ],
  )
  assert.doesNotMatch(answer.body, /example\.com/)
})

test('counts a locked account as not verified until it is unlocked', async () => {
  const { userId } = await service.signUp('locked@example.com')
  await setVerified(userId, true)
  assert.equal(await isVerified(userId), true)
  await service.deps.change(work => lockUser(work, userId, true))
  assert.equal(await isVerified(userId), false)
  await service.deps.change(work => lockUser(work, userId, false))
  assert.equal(await isVerified(userId), true)
})

test('rejects a call without a service token, and returns an empty list for no ids', async () => {
  assert.deepEqual((await ask([])).json(), { people: [] })
  const other = await createServiceTokenSigner(internalKey, 'ingest')()
  for (const authorization of ['Bearer x', `Bearer ${other}`]) {
    assert.equal((await ask(['user-live-1'], authorization)).statusCode, 401)
  }
})
