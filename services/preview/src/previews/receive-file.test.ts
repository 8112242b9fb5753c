import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import contract from '@lapwing/contracts/preview.json' with { type: 'json' }
import { ibtChunks } from '@lapwing/simulator/build-ibt'
import { ibtLimits, PREVIEW_CHANNELS } from '@lapwing/telemetry'
import { decodePreview } from '@lapwing/telemetry/wire'
import { checkAnswer } from '@lapwing/testing/check-answer.ts'
import { sharedIbt, sharedIbtMissing } from '@lapwing/testing/shared-ibt.ts'
import { until } from '@lapwing/testing/until.ts'
import { Client } from 'undici'
import { aSession, sessionSpec } from '../test/a-session.ts'
import { form } from '../test/form.ts'
import {
  checkUnharmed,
  codeOf,
  post,
  previewPath,
  type Service,
  send,
  startPreview,
} from '../test/harness.ts'
import { startProcess } from '../test/start-process.ts'

const { MAX_FILE_BYTES } = ibtLimits

/** The service of all tests without settings of their own. Each test leaves it usable. */
const service = await startPreview({ after })

const file = (content: Uint8Array | Iterable<Uint8Array>, fileName = 'session.ibt') => ({
  name: 'file',
  fileName,
  content,
})

/** Yields that many bytes in chunks of 1 MiB, which are never in memory together. */
function* bytes(total: number): Generator<Uint8Array> {
  const chunk = Buffer.alloc(1_048_576, 0x11)
  for (let left = total; left > 0; left -= chunk.length) yield chunk.subarray(0, Math.min(left, chunk.length))
}

/** Returns the bytes of all reachable buffers. */
function liveBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // The first collection frees buffers in another thread. The second one waits for that.
  collect()
  collect()
  return process.memoryUsage().arrayBuffers
}

const unreadable: Record<string, [Uint8Array, RegExp]> = {
  'a file of 0 bytes': [new Uint8Array(0), /empty/],
  'one byte': [new Uint8Array(1), /not an iRacing telemetry file/],
  'a zip renamed to .ibt': [
    Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), gzipSync(randomBytes(5000))]),
    /not an iRacing telemetry file/,
  ],
  'a text renamed to .ibt': [
    Buffer.from('Lap,Time\n1,51.088\n'.repeat(100)),
    /not an iRacing telemetry file/,
  ],
  'a file of zeros': [new Uint8Array(20_000), /not an iRacing telemetry file/],
  'a file cut in its headers': [aSession().subarray(0, 900), /ends before its first sample/],
  'a file cut before its rows': [aSession({ rows: 0 }), /ends before its first sample/],
  'a header that claims 4 GiB of rows': [
    aSession({ rows: 10, header: { bufLen: 0x7fffffff }, declaredRows: 0x7fffffff }),
    /damaged/,
  ],
  'a file of more rows than the limit': [
    aSession({
      rows: ibtLimits.MAX_PREVIEW_ROWS + 1,
      variables: [{ name: 'LapDistPct', type: 'float', values: () => 0 }],
    }),
    /more samples than Lapwing reads/,
  ],
  // Without a limit on laps, one such file uses up the memory of the process.
  'a file that crosses the line with every second row': [
    aSession({
      rows: 300_000,
      variables: [
        { name: 'SessionTime', type: 'double', values: row => row / 60 },
        { name: 'LapDistPct', type: 'float', values: row => (row % 2 === 0 ? 0.95 : 0.05) },
      ],
    }),
    /crosses the line more often/,
  ],
  'a header that claims two thousand million variables': [
    aSession({ header: { numVars: 0x7fffffff } }),
    /damaged/,
  ],
}

for (const [name, [content, sentence]] of Object.entries(unreadable)) {
  test(`answers 422 with the reader's own sentence for ${name}`, async () => {
    const answer = await post(service, [file(content)])
    assert.equal(answer.statusCode, 422, answer.body)
    assert.equal(codeOf(answer), 'preview.unreadable')
    assert.match(JSON.parse(answer.body).detail, sentence)
    await checkUnharmed(service)
  })
}

test('reads a file that states more rows than it has up to its end', async () => {
  const answer = await post(service, [file(aSession({ declaredRows: 2_000_000_000 }))])
  assert.equal(answer.statusCode, 200)
  assert.equal(JSON.parse(answer.body).debug.rows, 3000)
  assert.equal(JSON.parse(answer.body).debug.partial, true)
})

test('states the limit of rows in the contract', () => {
  assert.equal(contract.components.schemas.Samples.maxItems, ibtLimits.MAX_PREVIEW_ROWS)
})

test('states each series in the contract, and that all of them can be missing', () => {
  const { Debug, Preview } = contract.components.schemas
  const series = Object.entries(Preview.properties).flatMap(([name, schema]) =>
    '$ref' in schema && schema.$ref.endsWith('/Samples') ? [name] : [],
  )
  assert.deepEqual(series.toSorted(), Object.keys(PREVIEW_CHANNELS).toSorted())
  assert.equal(Debug.properties.missing.maxItems, series.length)
})

test('rejects each broken file of the shared set, and reads the cut one', {
  skip: sharedIbtMissing,
}, async () => {
  const names = readdirSync(sharedIbt('broken'))
  assert.ok(names.length >= 6)
  for (const name of names) {
    const answer = await post(service, [file(readFileSync(sharedIbt(`broken/${name}`)))])
    assert.equal(
      answer.statusCode,
      name === 'cut-in-records.ibt' ? 200 : 422,
      `${name}: ${answer.body.slice(0, 200)}`,
    )
    await checkUnharmed(service)
  }
})

for (const fileName of [
  'session.zip',
  'session.ibt.zip',
  'session',
  'ibt',
  'session.ibt ',
  'x'.repeat(10_000),
  '',
]) {
  test(`answers 415 for a file named "${fileName.slice(0, 20)}"`, async () => {
    const answer = await post(service, [file(aSession(), fileName)])
    assert.equal(answer.statusCode, 415)
    assert.equal(codeOf(answer), 'preview.wrong_type')
    assert.equal(JSON.parse(answer.body).detail, 'Only .ibt files are supported.')
    await checkUnharmed(service)
  })
}

test('answers 200 for a file of exactly 100 MB', async () => {
  const rowBytes = 1152
  const fixedBytes = aSession({ rows: 0, bufLen: rowBytes }).length
  const rows = Math.floor((MAX_FILE_BYTES - fixedBytes) / rowBytes)
  const session = ibtChunks(sessionSpec({ rows, bufLen: rowBytes }))
  const rest = MAX_FILE_BYTES - fixedBytes - rows * rowBytes
  const answer = await post(service, [file(concat(session, bytes(rest)))], {
    headers: { accept: 'application/x-protobuf' },
  })
  assert.equal(answer.statusCode, 200, answer.body.slice(0, 200))
  assert.equal(decodePreview(answer.bytes).debug.rows, rows)
  await checkUnharmed(service)
})

test('answers 413 for a file one byte over 100 MB', async () => {
  const before = liveBytes()
  let atEnd = Number.NaN
  function* measured() {
    yield* bytes(MAX_FILE_BYTES + 1)
    atEnd = liveBytes()
  }
  const answer = await post(service, [file(measured())])
  assert.equal(answer.statusCode, 413)
  assert.equal(codeOf(answer), 'preview.too_large')
  assert.equal(JSON.parse(answer.body).detail, 'File is larger than 100 MB.')
  assert.ok(atEnd - before < 64e6, 'the whole file was in memory')
  await checkUnharmed(service)
})

test('answers 413 immediately if Content-Length is too large', async () => {
  const { boundary, chunks } = form([file(bytes(1_048_576))])
  const answer = await send(service, chunks, {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(3 * MAX_FILE_BYTES),
    },
  })
  assert.equal(answer.statusCode, 413)
  assert.equal(codeOf(answer), 'preview.too_large')
  await checkUnharmed(service)
})

test('answers 413 for a form that is too large around a small file', async () => {
  const answer = await post(service, [
    file(bytes(MAX_FILE_BYTES - 1000)),
    { name: 'note', content: bytes(100_000) },
  ])
  assert.equal(answer.statusCode, 413)
  await checkUnharmed(service)
})

test('delivers the 413 to undici while it is still sending', async t => {
  const client = new Client(`http://127.0.0.1:${service.port}`)
  t.after(() => client.destroy())
  const { boundary, chunks } = form([file(bytes(150 * 1_048_576))])
  const { statusCode, body } = await client.request({
    method: 'POST',
    path: previewPath,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Readable.from(chunks),
  })
  assert.equal(statusCode, 413)
  assert.equal(((await body.json()) as { code: string }).code, 'preview.too_large')
  await checkUnharmed(service)
})

test('delivers the 413 to a client that first sends all 120 MB', async t => {
  const socket = await open(t, service)
  await sendForm(socket, [file(bytes(120 * 1_048_576))])
  const answer = await readAnswer(socket)
  assert.equal(answer.statusCode, 413)
  await checkUnharmed(service)
})

test('cuts a client that goes on sending after its 413', async t => {
  const socket = await open(t, service)
  const closed = new Promise(resolve => socket.once('close', resolve))
  const answered = readAnswer(socket)
  const sent = sendForm(socket, [file(bytes(10 * MAX_FILE_BYTES))])
  assert.equal((await answered).statusCode, 413)
  await closed
  await sent
  // The bytes between two checks of the connection depend on the load of the machine.
  assert.ok(socket.bytesWritten < 5 * MAX_FILE_BYTES, `${socket.bytesWritten} bytes were taken`)
  await checkUnharmed(service)
})

test('reuses the connection after an error before the end of a small upload', async t => {
  const socket = await open(t, service)
  await sendForm(socket, [file(bytes(5_000_000), 'session.zip')])
  assert.equal((await readAnswer(socket)).statusCode, 415)
  await sendForm(socket, [file(aSession())])
  assert.equal((await readAnswer(socket)).statusCode, 200)
})

const badForms: Record<string, [string, string, string | Uint8Array | null, number]> = {
  'no part at all': ['preview.no_file', 'multipart/form-data; boundary=b', '--b--\r\n', 400],
  'no body': ['preview.no_file', 'multipart/form-data; boundary=b', '', 400],
  'a field named file that is no file': [
    'preview.no_file',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nsession.ibt\r\n--b--\r\n',
    400,
  ],
  'a file in another field': [
    'preview.no_file',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="upload"; filename="a.ibt"\r\n\r\nx\r\n--b--\r\n',
    400,
  ],
  'no boundary': ['preview.bad_form', 'multipart/form-data', '--b--\r\n', 400],
  'an empty boundary': ['preview.no_file', 'multipart/form-data; boundary=', '----\r\n', 400],
  'a boundary of a thousand characters': [
    'preview.bad_form',
    `multipart/form-data; boundary=${'b'.repeat(1000)}`,
    '--b--\r\n',
    400,
  ],
  'another boundary in the body': ['preview.bad_form', 'multipart/form-data; boundary=b', '--c--\r\n', 400],
  'noise in the body': ['preview.bad_form', 'multipart/form-data; boundary=b', randomBytes(100_000), 400],
  'an end in the part’s headers': [
    'preview.bad_form',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="file"; file',
    400,
  ],
  'an end in the middle of the file': [
    'preview.bad_form',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.ibt"\r\n\r\nabc',
    400,
  ],
  'no closing boundary': [
    'preview.bad_form',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.ibt"\r\n\r\nabc\r\n--b',
    400,
  ],
  'a field of an object’s own name': [
    'preview.bad_form',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--b--\r\n',
    400,
  ],
  'a thousand fields': [
    'preview.bad_form',
    'multipart/form-data; boundary=b',
    `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(1000)}--b--\r\n`,
    400,
  ],
  'a part with headers of 200 kB': [
    'preview.no_file',
    'multipart/form-data; boundary=b',
    `--b\r\nX: ${'x'.repeat(200_000)}\r\n\r\nx\r\n--b--\r\n`,
    400,
  ],
  'a JSON body': ['preview.unsupported_media_type', 'application/json', '{"file":"x"}', 415],
  'a bare file as the body': ['preview.unsupported_media_type', 'application/octet-stream', aSession(), 415],
  'a form of the other kind': [
    'preview.unsupported_media_type',
    'application/x-www-form-urlencoded',
    'file=x',
    415,
  ],
  'multipart/mixed': ['preview.unsupported_media_type', 'multipart/mixed; boundary=b', '--b--\r\n', 415],
}

for (const [name, [code, contentType, body, status]] of Object.entries(badForms)) {
  test(`answers ${status} ${code} for ${name}`, async () => {
    const answer = await send(service, body === null ? [] : [Buffer.from(body)], {
      headers: { 'content-type': contentType },
    })
    assert.equal(answer.statusCode, status, answer.body)
    assert.equal(codeOf(answer), code)
    await checkUnharmed(service)
  })
}

test('answers 415 to a POST without a content type and a body', async () => {
  const answer = await send(service, [])
  assert.equal(answer.statusCode, 415)
  await checkUnharmed(service)
})

test('answers 400 for a form with two files', async () => {
  for (const second of [
    file(aSession()),
    file(bytes(3_000_000)),
    { name: 'other', fileName: 'b.ibt', content: 'x' },
  ]) {
    const answer = await post(service, [file(aSession()), second])
    assert.equal(answer.statusCode, 400)
    assert.equal(codeOf(answer), 'preview.more_than_one_file')
    await checkUnharmed(service)
  }
})

test('leaves no file if the client leaves during its upload', async t => {
  for (const goAway of [(socket: Socket) => socket.resetAndDestroy(), (socket: Socket) => socket.end()]) {
    const socket = await open(t, service)
    socket.write(requestHead(10_000_000))
    socket.write(fileHead)
    socket.write(Buffer.alloc(3_000_000))
    await until(() => service.filesUnderWay().length === 1, 'the upload begins')
    goAway(socket)
    await checkUnharmed(service)
  }
})

test('leaves no file if the client leaves while its file is read', async t => {
  const socket = await open(t, service)
  await sendForm(socket, [file(aSession())])
  socket.resetAndDestroy()
  await checkUnharmed(service)
})

test('answers 408 if the client stops sending, and closes the connection', async t => {
  const service = await startPreview(t, { uploadIdleMs: 200 })
  for (const sent of ['', fileHead, `${fileHead}abc`]) {
    const socket = await open(t, service)
    const closed = new Promise(resolve => socket.once('close', resolve))
    socket.write(requestHead(5000))
    socket.write(sent)
    const answer = await readAnswer(socket)
    assert.equal(answer.statusCode, 408)
    assert.equal(codeOf(answer), 'preview.upload_stalled')
    await closed
    await checkUnharmed(service)
  }
})

test('answers 408 if a slow upload exceeds its total time', async t => {
  const service = await startPreview(t, { uploadIdleMs: 2000, uploadTotalMs: 500 })
  const socket = await open(t, service)
  socket.write(requestHead(100_000))
  socket.write(fileHead)
  const drip = setInterval(() => socket.write('x'), 20)
  t.after(() => clearInterval(drip))
  const answer = await readAnswer(socket)
  assert.equal(answer.statusCode, 408)
  // Otherwise the service waits half a minute for the rest when it stops.
  socket.destroy()
  await checkUnharmed(service)
})

test('does not cut a slow upload that makes progress', async t => {
  // Longer than a pause of a busy machine, and shorter than the whole upload.
  const service = await startPreview(t, { uploadIdleMs: 3_000 })
  const { boundary, chunks } = form([file(aSession())])
  const body = Buffer.concat([...chunks])
  const socket = await open(t, service)
  socket.write(
    `POST ${previewPath} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  const step = Math.ceil(body.length / 25)
  for (let at = 0; at < body.length; at += step) {
    socket.write(body.subarray(at, at + step))
    await wait(150)
  }
  assert.equal((await readAnswer(socket)).statusCode, 200)
})

test('answers 503 with Retry-After over the limit of files, before it reads the body', async t => {
  const service = await startPreview(t, { maxUploads: 1 })
  const first = await open(t, service)
  first.write(requestHead(10_000_000))
  first.write(`${fileHead}the first bytes`)
  await until(() => service.filesUnderWay().length === 1, 'the first upload begins')
  const answer = await post(service, [file(aSession())])
  assert.equal(answer.statusCode, 503)
  assert.equal(codeOf(answer), 'preview.busy')
  assert.equal(service.filesUnderWay().length, 1)
  first.destroy()
  await checkUnharmed(service)
})

test('answers 429 with Retry-After to a client with half of the slots, and accepts others', async t => {
  const service = await startPreview(t, { maxUploads: 4, trustedProxies: ['127.0.0.1'] })
  const sockets: Socket[] = []
  for (const address of ['2001:db8::1', '2001:DB8:0:0:ffff::2']) {
    const socket = await open(t, service)
    socket.write(requestHead(10_000_000).replace('\r\n', `\r\nX-Forwarded-For: ${address}\r\n`))
    socket.write(`${fileHead}the first bytes`)
    sockets.push(socket)
  }
  await until(() => service.filesUnderWay().length === 2, 'the uploads begin')
  const from = (address: string) =>
    post(service, [file(aSession())], { headers: { 'x-forwarded-for': address } })
  const refused = await from('2001:db8::3')
  assert.equal(refused.statusCode, 429)
  assert.equal(codeOf(refused), 'preview.rate_limited')
  assert.equal(refused.headers['retry-after'], '2')
  assert.equal((await from('2001:db8:0:1::1')).statusCode, 200)
  for (const socket of sockets) socket.destroy()
  await until(() => service.filesUnderWay().length === 0, 'no file is left')
  assert.equal((await from('2001:db8::3')).statusCode, 200)
})

test('holds the slot of an answer that its client does not read, until its time is over', async t => {
  const service = await startPreview(t, { maxUploads: 1, answerTotalMs: 5_000 })
  const socket = await open(t, service)
  let received = 0
  socket.on('data', chunk => {
    received += chunk.length
    socket.pause()
  })
  // The answer is larger than the buffers of the connection.
  await sendForm(socket, [file(aSession({ rows: 150_000 }))])
  await until(() => received > 0, 'an answer arrives')
  await until(() => service.filesUnderWay().length === 0, 'the file is removed')
  const ask = async () => (await post(service, [file(aSession())])).statusCode
  assert.equal(await ask(), 503)
  const statuses = new Set<number>()
  await until(async () => statuses.add(await ask()).has(200), 'the slot to be free')
  assert.deepEqual([...statuses], [503, 200])
  const closed = once(socket, 'close')
  socket.removeAllListeners('data').on('data', chunk => {
    received += chunk.length
  })
  socket.resume()
  await closed
  assert.ok(received < 20_000_000, `${received} bytes were taken after all`)
})

test('answers 30 simultaneous uploads with 200 or 503, and bounds memory and disk', async t => {
  const service = await startProcess(t, {
    PREVIEW_MAX_UPLOADS: '4',
    PREVIEW_RATE_LIMIT_PER_MINUTE: '1000',
  })
  await checkUnharmed(service)
  const before = residentBytes(service.child.pid!)
  let mostFiles = 0
  const watch = setInterval(() => {
    mostFiles = Math.max(mostFiles, service.filesUnderWay().length)
  }, 1)
  t.after(() => clearInterval(watch))
  // Rows as wide as those of a real car.
  const content = aSession({ rows: 20_000, bufLen: 1152 })
  const headers = (client: number) => ({
    accept: 'application/x-protobuf',
    'x-forwarded-for': `203.0.113.${client}`,
  })
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, client) => post(service, [file(content)], { headers: headers(client) })),
  )
  clearInterval(watch)
  const counts: Record<number, number> = {}
  for (const { statusCode } of answers) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  assert.ok(counts[200]! >= 4, JSON.stringify(counts))
  assert.equal((counts[200] ?? 0) + (counts[503] ?? 0), 30, JSON.stringify(counts))
  assert.ok(mostFiles > 0 && mostFiles <= 4, `${mostFiles} files at once`)
  const grown = (before === null ? 0 : residentBytes(service.child.pid!)! - before) / 1e6
  // The files have 690 MB together.
  assert.ok(grown < 250, `the process grew by ${grown} MB`)
  await checkUnharmed(service)
})

/** Returns the peak memory of a process in bytes; null if the system does not report it. */
function residentBytes(pid: number): number | null {
  const path = `/proc/${pid}/status`
  return existsSync(path) ? Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(path, 'utf8'))?.[1]) * 1024 : null
}

function* concat(...lists: Iterable<Uint8Array>[]): Generator<Uint8Array> {
  for (const list of lists) yield* list
}

async function open(t: { after(fn: () => void): void }, service: Service): Promise<Socket> {
  const socket = connect(service.port, '127.0.0.1')
  socket.on('error', () => undefined)
  t.after(() => socket.destroy())
  await new Promise(resolve => socket.once('connect', resolve))
  return socket
}

function requestHead(contentLength: number): string {
  return `POST ${previewPath} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${contentLength}\r\n\r\n`
}

const fileHead = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.ibt"\r\n\r\n'

/**
 * Writes a whole request with a chunked body, as fast as the service reads it. Ends early if the connection
 * does.
 */
async function sendForm(socket: Socket, parts: Parameters<typeof form>[0]): Promise<void> {
  const { boundary, chunks } = form(parts)
  socket.write(
    `POST ${previewPath} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
  const closed = new Promise(resolve => socket.once('close', resolve))
  for (const chunk of chunks) {
    if (chunk.length === 0) continue
    socket.write(`${chunk.length.toString(16)}\r\n`)
    socket.write(chunk)
    if (!socket.write('\r\n'))
      await Promise.race([new Promise(resolve => socket.once('drain', resolve)), closed])
    if (socket.destroyed) return
  }
  socket.write('0\r\n\r\n')
}

/** Reads the next answer on the connection, and checks it against the contract. It has a Content-Length. */
async function readAnswer(socket: Socket) {
  let received: Buffer = Buffer.alloc(0)
  const answer = await new Promise<ReturnType<typeof parseAnswer>>(resolve => {
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      finish(parseAnswer(received))
    }
    const onClose = () => finish(null, true)
    const finish = (parsed: ReturnType<typeof parseAnswer>, isClosed = false) => {
      if (parsed === null && !isClosed) return
      socket.off('data', onData).off('close', onClose)
      resolve(parsed)
    }
    socket.on('data', onData).on('close', onClose)
  })
  assert.ok(
    answer !== null,
    `the connection was closed without a whole answer: ${received.toString('latin1')}`,
  )
  checkAnswer(contract, 'createPreview', answer)
  return answer
}

function parseAnswer(received: Buffer) {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return null
  const [statusLine, ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  const body = received.subarray(end + 4, end + 4 + Number(headers['content-length']))
  if (body.length < Number(headers['content-length'])) return null
  return { statusCode: Number(statusLine!.split(' ')[1]), headers, body: body.toString() }
}
