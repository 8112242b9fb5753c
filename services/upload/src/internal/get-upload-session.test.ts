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

test('404 for a session that is not there', async () => {
  assert.equal(await service.readSession(unknown), null)
})

test('400 for what is no UUID', async () => {
  assert.equal(await ask(`x'%20or%20true`, await signService('upload')), 400)
})

test('401 for a stranger, and for a token made for another service', async () => {
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
