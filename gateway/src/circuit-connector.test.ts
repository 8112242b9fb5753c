import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { BrokenCircuitError } from 'cockatiel'
import { Pool } from 'undici'
import { circuitConnector } from './circuit-connector.ts'

test('stops to connect to a service that is away, and tries again with one connection at a time', async t => {
  const service = await stoppedService(t)
  let opened = 0
  const get = getterOf(t, service.url, () => opened++)
  for (let i = 0; i < 20; i++) await assert.rejects(get(), { code: 'ECONNREFUSED' })
  assert.equal(opened, 1)
  // Tries made while the circuit is open fail without a connection; each half-open one connects once.
  const failures = await Promise.all(Array.from({ length: 50 }, () => failureOf(get)))
  const refused = failures.filter(({ code }) => code === 'ECONNREFUSED').length
  assert.ok(refused <= 1, `${refused} of 50 connected`)
  assert.ok(failures.some(error => error instanceof BrokenCircuitError))

  await service.start()
  // The circuit is half open after 20 ms.
  while ((await get().catch(() => null)) !== 'ok') await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual(new Set(await Promise.all(Array.from({ length: 50 }, get))), new Set(['ok']))
  assert.equal(opened >= 1, true)
})

test('goes on to connect while one in three connections works', async t => {
  const service = await stoppedService(t)
  let opened = 0
  const get = getterOf(t, service.url, () => opened++)
  for (let i = 0; i < 30; i++) {
    if (i % 3 === 0) await service.start()
    else await service.stop()
    await get().catch(() => null)
  }
  assert.equal(opened, 0)
})

/** Returns a request on a connection of its own. */
function getterOf(t: TestContext, url: URL, onOpen: () => void): () => Promise<string> {
  const connect = circuitConnector({ timeoutMs: 3_000, openMs: 20, onOpen })
  const pool = new Pool(url.origin, { connect, pipelining: 0 })
  t.after(() => pool.close())
  return async () => (await pool.request({ path: '/', method: 'GET' })).body.text()
}

async function failureOf(get: () => Promise<unknown>): Promise<Error & { code?: string }> {
  try {
    await get()
  } catch (error) {
    return error as Error
  }
  throw new Error('The request did not fail.')
}

/** Returns a service that does not listen on its port until it is started. */
async function stoppedService(t: TestContext) {
  const server = createServer((_request, response) => response.end('ok'))
  const start = async (port: number) => {
    if (server.listening) return
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const stop = async () => {
    if (!server.listening) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  await start(0)
  const { port } = server.address() as AddressInfo
  await stop()
  t.after(stop)
  return { url: new URL(`http://127.0.0.1:${port}`), start: () => start(port), stop }
}
