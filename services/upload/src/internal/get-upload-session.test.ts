import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServiceTokenSigner } from '@lapwing/auth'
import { signService } from '@lapwing/service/testing'
import { type Harness, harness } from '../test/harness.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const unknown = '0190a0a0-0000-7000-8000-000000000000'

async function ask(sessionId: string, authorization?: string): Promise<number> {
  const answer = await service.app.inject({
    url: `/internal/upload-sessions/${sessionId}`,
    headers: authorization === undefined ? {} : { authorization },
  })
  return answer.statusCode
}

test('answers 404 for an unknown upload', async () => {
  assert.equal(await service.readSession(unknown), null)
})

test('answers 400 for an id that is no UUID', async () => {
  assert.equal(await ask(`x'%20or%20true`, await signService('upload')), 400)
})

test('answers 401 without a token, and for a token of another service', async () => {
  const other = createServiceTokenSigner(
    new TextEncoder().encode('a key of at least thirty-two bytes'),
    'ingest',
  )
  const forged = createServiceTokenSigner(
    new TextEncoder().encode('another key of thirty-two bytes!'),
    'upload',
  )
  for (const header of [undefined, 'Bearer x', `Bearer ${await other()}`, `Bearer ${await forged()}`]) {
    assert.equal(await ask(unknown, header), 401)
  }
})
