import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createServiceTokenSigner } from '@lapwing/auth'
import { type Harness, harness } from '../test/harness.ts'
import { internalKey } from '../test/serve.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const url = '/internal/judged-sessions'
const bearerFor = async (name: string) => ({
  authorization: `Bearer ${await createServiceTokenSigner(new TextEncoder().encode(internalKey), name)()}`,
})

test('returns exactly the uploads whose files wait or are being judged', async () => {
  const states = ['waiting', 'running', 'recorded', 'done', 'failed'] as const
  const rows = states.map(state => ({
    id: randomUUID(),
    user_id: 'ann',
    upload_session_id: randomUUID(),
    key: 'uploads/a',
    etag: '"a"',
    size: 1,
    state,
  }))
  await service.db.insertInto('ingest').values(rows).execute()
  const answer = await service.app.inject({
    method: 'POST',
    url,
    headers: await bearerFor('ingest'),
    payload: { session_ids: [...rows.map(row => row.upload_session_id), randomUUID()] },
  })
  assert.equal(answer.statusCode, 200)
  assert.deepEqual(
    answer.json().session_ids.sort(),
    rows
      .slice(0, 2)
      .map(row => row.upload_session_id)
      .sort(),
  )
})

test('answers only our own services, and only up to 200 valid ids', async () => {
  const ask = async (headers: Record<string, string>, ids: readonly string[]) =>
    (await service.app.inject({ method: 'POST', url, headers, payload: { session_ids: ids } })).statusCode
  assert.equal(await ask({}, [randomUUID()]), 401)
  assert.equal(await ask(await bearerFor('upload'), [randomUUID()]), 401)
  const signed = await bearerFor('ingest')
  assert.equal(
    await ask(
      signed,
      Array.from({ length: 200 }, () => randomUUID()),
    ),
    200,
  )
  assert.equal(
    await ask(
      signed,
      Array.from({ length: 201 }, () => randomUUID()),
    ),
    400,
  )
  assert.equal(await ask(signed, ["' or true"]), 400)
})
