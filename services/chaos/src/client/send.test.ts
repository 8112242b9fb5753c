import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { after, before, test } from 'node:test'
import { multipart } from './form.ts'
import { send } from './send.ts'

let server: Server
let url: string
const received: { readonly path: string | undefined; readonly body: Promise<Buffer | 'cut off'> }[] = []

before(async () => {
  server = createServer((request, response) => {
    const body = read(request)
    received.push({ path: request.url, body })
    if (request.url === '/never') return
    void body.then(() => response.writeHead(201).end('{"ok":true}'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
})

after(() => {
  server.closeAllConnections()
  server.close()
})

function read(request: IncomingMessage): Promise<Buffer | 'cut off'> {
  return new Promise(resolve => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => resolve(Buffer.concat(pieces)))
    request.on('close', () => resolve('cut off'))
  })
}

test('returns status and body of an answered call', async () => {
  assert.deepEqual(await send({ method: 'POST', url, body: Buffer.from('a'), withinMs: 5_000 }), {
    kind: 'answered',
    status: 201,
    body: { ok: true },
  })
})

test('times out without an answer, and reports a refused connection as a network failure', async () => {
  assert.deepEqual(await send({ method: 'GET', url: `${url}/never`, withinMs: 50 }), {
    kind: 'failed',
    why: 'timeout',
  })
  assert.deepEqual(await send({ method: 'GET', url: 'http://127.0.0.1:1', withinMs: 5_000 }), {
    kind: 'failed',
    why: 'network',
  })
})

for (const share of [0, 0.5, 0.999]) {
  test(`sends a part and closes the connection if the client leaves at ${share} of its body`, async () => {
    const before = received.length
    const body = Buffer.alloc(300_000, 'x')
    const arrived = once(server, 'request')
    assert.deepEqual(await send({ method: 'POST', url, body, withinMs: 5_000, leaves: { share } }), {
      kind: 'gone',
    })
    await arrived
    assert.equal(await received[before]!.body, 'cut off')
  })
}

test('sends the whole body if the client leaves before the answer', async () => {
  const before = received.length
  const arrived = once(server, 'request')
  const sent = send({
    method: 'POST',
    url,
    body: Buffer.from('whole'),
    withinMs: 5_000,
    leaves: 'before the answer',
  })
  assert.deepEqual(await sent, { kind: 'gone' })
  await arrived
  assert.equal(String(await received[before]!.body), 'whole')
})

test('puts the fields of a form before the file', () => {
  const { contentType, body } = multipart({ key: 'uploads/1' }, Buffer.from('bytes'))
  const boundary = contentType.split('boundary=')[1]!
  const parts = Buffer.from(body).toString().split(`--${boundary}`)
  assert.match(parts[1]!, /name="key"\r\n\r\nuploads\/1\r\n$/)
  assert.match(parts[2]!, /name="file"; filename="session.ibt"\r\n.*\r\n\r\nbytes\r\n$/)
  assert.equal(parts[3], '--\r\n')
})
