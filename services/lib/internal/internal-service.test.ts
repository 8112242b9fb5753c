import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createServiceTokenVerifier } from '@lapwing/auth'
import { createInternalService, ServiceUnavailable } from './internal-service.ts'

const key = new TextEncoder().encode('a key of at least thirty-two bytes')

/** Starts a service that answers each request with this status and text, or never answers. */
async function serve(t: TestContext, answer: readonly [number, string] | 'nothing') {
  const isService = createServiceTokenVerifier(key, 'identity')
  const seen: unknown[] = []
  const server = createServer(async (request, response) => {
    seen.push([request.method, request.url, await isService(request.headers.authorization)])
    if (answer !== 'nothing')
      response.writeHead(answer[0], { 'content-type': 'application/json' }).end(answer[1])
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  // The first call of a process is slow on a busy machine, so only the test of the time-out has a short one.
  const timeoutMs = answer === 'nothing' ? 500 : 30_000
  const service = createInternalService({ name: 'identity', url, key, timeoutMs })
  return { service, seen }
}

const state = (id: string) => (client: Parameters<Parameters<typeof anyService.ask>[1]>[0]) =>
  client.GET('/internal/sessions/{id}', { params: { path: { id } } })
declare const anyService: ReturnType<typeof createInternalService>

test('signs a call, escapes its parameters and returns the answer', async t => {
  const { service, seen } = await serve(t, [200, '{"session_id":"a","active":true,"more":1}'])
  const { active } = await service.ask('getSessionState', state('a/../b'))
  assert.equal(active, true)
  assert.deepEqual(seen, [['GET', '/internal/sessions/a%2F..%2Fb', true]])
})

for (const [what, answer, isAway] of [
  ['a 503', [503, '{}'], true],
  ['a 500', [500, '{}'], false],
  ['a redirect', [302, ''], true],
  ['a 404', [404, '{}'], false],
  ['no JSON', [200, 'nonsense'], false],
  ['an empty answer', [200, ''], false],
  ['an answer that does not fit the contract', [200, '{"session_id":"a","active":"yes"}'], false],
  ['no answer in time', 'nothing', true],
] as const) {
  test(`throws ServiceUnavailable for ${what}`, async t => {
    const { service } = await serve(t, answer)
    await assert.rejects(service.ask('getSessionState', state('a')), (error: unknown) => {
      assert.ok(error instanceof ServiceUnavailable)
      assert.equal(error.isAway, isAway)
      return true
    })
  })
}

test('returns null from find for a 404', async t => {
  const { service } = await serve(t, [404, '{}'])
  assert.equal(await service.find('getSessionState', state('a')), null)
})
