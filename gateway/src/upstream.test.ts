import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Dispatcher } from 'undici'
import { openUpstream } from './upstream.ts'

/** Bytes of a body that undici holds before it stops to read. */
const HELD = 64 * 1024

test('survives a service that closes the connection while the reader of the answer pauses', async t => {
  const head = `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${2 * HELD}\r\n\r\n`
  const service = await listen(t, socket => {
    socket.once('data', () => socket.end(`${head}${'x'.repeat(HELD)}`))
  })
  const upstream = openUpstream('test', service.url)
  t.after(() => upstream.close())
  const answer = await new Promise<Dispatcher.ResponseData>((resolve, reject) => {
    upstream.dispatcher.request({ path: '/', method: 'GET', headers: {} }, (error, answer) =>
      error === null ? resolve(answer) : reject(error),
    )
  })
  await service.closed
  await assert.rejects(answer.body.text())
})

async function listen(t: TestContext, serve: (socket: Socket) => void) {
  const server = createServer()
  const closed = new Promise<void>(resolve => {
    server.once('connection', socket => {
      socket.on('error', () => {})
      socket.once('close', () => resolve())
      serve(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), closed }
}
