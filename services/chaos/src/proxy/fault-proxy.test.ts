import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'

/** Echoes every byte. */
let echo: Server
let proxy: FaultProxy

before(async () => {
  echo = createServer({ allowHalfOpen: true }, socket => {
    socket.on('error', () => {})
    socket.pipe(socket)
  })
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  proxy = await startFaultProxy((echo.address() as { port: number }).port)
})

after(async () => {
  await proxy.close()
  echo.close()
})

async function open(): Promise<Socket> {
  const socket = connect(proxy.port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

async function read(socket: Socket, bytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  while (length < bytes) {
    const [piece] = (await once(socket, 'data')) as [Buffer]
    pieces.push(piece)
    length += piece.byteLength
  }
  return Buffer.concat(pieces)
}

test('passes a megabyte and its end unchanged in both directions', async () => {
  const socket = await open()
  const sent = Buffer.alloc(1024 * 1024, 'lapwing ')
  const ended = once(socket, 'end')
  const answer = read(socket, sent.byteLength)
  socket.end(sent)
  assert.ok((await answer).equals(sent))
  await ended
})

test('resets open connections at a cut, and passes the next one', async () => {
  const socket = await open()
  socket.write('a')
  await read(socket, 1)
  const failed = once(socket, 'error')
  proxy.cut()
  const [error] = (await failed) as [NodeJS.ErrnoException]
  assert.equal(error.code, 'ECONNRESET')
  const next = await open()
  next.write('b')
  assert.equal((await read(next, 1)).toString(), 'b')
  next.destroy()
})

test('resets open and new connections while refusing', async () => {
  const socket = await open()
  const failed = once(socket, 'error')
  proxy.setCondition({ kind: 'refusing' })
  await failed
  const next = connect(proxy.port, '127.0.0.1')
  next.on('error', () => {})
  await new Promise(resolve => next.once('close', resolve))
  assert.equal(next.bytesRead, 0)
  proxy.setCondition({ kind: 'fair' })
})

for (const way of ['there', 'back', 'both'] as const) {
  test(`holds all bytes while silent ${way}, then passes them in order`, async () => {
    const socket = await open()
    proxy.setCondition({ kind: 'silent', way })
    const reached = proxy.passed('there', 3)
    const answer = read(socket, 6)
    socket.write('one')
    // The server receives the bytes only if the way to it is open.
    if (way === 'back') await reached
    assert.equal(socket.bytesRead, 0)
    proxy.setCondition({ kind: 'fair' })
    socket.write('two')
    assert.equal((await answer).toString(), 'onetwo')
    socket.destroy()
  })
}

test('keeps the order of delayed bytes while slow', async () => {
  const socket = await open()
  proxy.setCondition({ kind: 'slow', ms: 5 })
  const answer = read(socket, 4)
  for (const letter of 'abcd') socket.write(letter)
  assert.equal((await answer).toString(), 'abcd')
  proxy.setCondition({ kind: 'fair' })
  socket.destroy()
})

test('passes a part of an answer, then resets the connection while cutting', async () => {
  proxy.setCondition({ kind: 'cutting', afterBytes: 100_000 })
  const socket = await open()
  let bytes = 0
  socket.on('data', (piece: Buffer) => {
    bytes += piece.byteLength
  })
  const failed = once(socket, 'error')
  socket.write(Buffer.alloc(1_000_000))
  await failed
  assert.ok(bytes <= 100_000)
  proxy.setCondition({ kind: 'fair' })
})

test('resolves when the awaited number of bytes has passed', async () => {
  const socket = await open()
  const there = proxy.passed('there', 5)
  const back = proxy.passed('back', 5)
  socket.write('12345')
  await Promise.all([there, back, proxy.passed('there', 0)])
  socket.destroy()
})
