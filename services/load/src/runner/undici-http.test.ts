import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createRecorder } from './recorder.ts'
import { createClients } from './undici-http.ts'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

/** Starts a server that answers the requests of each connection like this, and then closes or resets it. */
async function serve(
  t: TestContext,
  answers: (connection: number) => readonly string[],
  end: 'close' | 'reset' = 'close',
) {
  const sockets = new Set<Socket>()
  let connections = 0
  let requests = 0
  const server = createServer(socket => {
    sockets.add(socket)
    const left = [...answers(connections++)]
    socket.on('error', () => {})
    socket.on('data', () => {
      requests++
      const answer = left.shift()
      if (answer === undefined && end === 'reset') socket.resetAndDestroy()
      else if (answer === undefined) socket.end()
      else socket.write(answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/`, requests: () => requests }
}

/** Sends requests one after another. Returns their statuses, 0 for no answer, and what was counted. */
async function sendEach(t: TestContext, url: string, count: number, sendsAgain: boolean) {
  const clients = createClients({ connections: 1, sendsAgain })
  t.after(() => clients.close())
  const recorder = createRecorder()
  const http = clients.arriving(recorder, performance.now())
  const statuses: number[] = []
  for (let i = 0; i < count; i++) {
    const { status } = await http.send({ name: 'post', method: 'POST', url, headers: {}, body: 'a' })
    statuses.push(status)
  }
  return { statuses, again: recorder.counts()['post sent again'] }
}

test('sends a request again, once, if a connection that was used before ends or resets without an answer', async t => {
  for (const end of ['close', 'reset'] as const) {
    const server = await serve(t, connection => (connection === 0 ? [OK] : [OK, OK]), end)
    assert.deepEqual(await sendEach(t, server.url, 3, true), { statuses: [200, 200, 200], again: 1 })
    assert.equal(server.requests(), 4)
  }
})

test('sends no request again on the first end of a new connection, or without that option', async t => {
  for (const end of ['close', 'reset'] as const) {
    const silent = await serve(t, () => [], end)
    assert.deepEqual(await sendEach(t, silent.url, 1, true), { statuses: [0], again: undefined })
    assert.equal(silent.requests(), 1)
    const server = await serve(t, () => [OK], end)
    assert.deepEqual(await sendEach(t, server.url, 2, false), { statuses: [200, 0], again: undefined })
  }
})
