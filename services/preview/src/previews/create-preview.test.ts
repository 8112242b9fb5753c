import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { bytesSource, type Preview, previewSession, previewToJson, type SeriesName } from '@lapwing/telemetry'
import { decodePreview } from '@lapwing/telemetry/wire'
import { sharedIbt, sharedIbtMissing } from '@lapwing/testing/shared-ibt.ts'
import { until } from '@lapwing/testing/until.ts'
import { aSession } from '../test/a-session.ts'
import { form } from '../test/form.ts'
import { checkUnharmed, post, startPreview } from '../test/harness.ts'

const service = await startPreview({ after })

const file = (content: Uint8Array, fileName = 'session.ibt') => [{ name: 'file', fileName, content }]

test('answers 200 with the session as JSON', async () => {
  const answer = await post(service, file(aSession()))
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(answer.headers['content-encoding'], undefined)
  const preview = JSON.parse(answer.body)
  assert.equal(preview.meta.track_label, 'Lapwing Ring, Short')
  assert.equal(preview.meta.track_slug, 'lapwing-ring')
  assert.equal(preview.debug.rows, 3000)
  assert.equal(preview.lat.length, 3000)
  assert.deepEqual(
    preview.laps.map((lap: { lap: number; is_completed: boolean; time_s: number | null }) => [
      lap.lap,
      lap.is_completed,
    ]),
    [
      [1, false],
      [2, true],
      [3, true],
      [4, false],
    ],
  )
  assert.ok(Math.abs(preview.laps[1].time_s - 20) < 0.001)
})

test('answers the same at the older address and with a trailing slash', async () => {
  const [first, ...others] = await Promise.all(
    ['/api/v1/preview', '/api/preview', '/api/v1/preview/'].map(path =>
      post(service, file(aSession()), { path }),
    ),
  )
  for (const other of others) assert.deepEqual(other.bytes, first!.bytes)
})

test('accepts every file name that ends in .ibt, in any case', async () => {
  const names = [
    'A.IBT',
    'b.Ibt',
    '.ibt',
    'C:\\Users\\x\\c.ibt',
    '../../etc/d.ibt',
    'é漢字 🏁.ibt',
    `${'n'.repeat(10_000)}.ibt`,
  ]
  for (const name of names) {
    const answer = await post(service, file(aSession(), name))
    assert.equal(answer.statusCode, 200, name.slice(0, 50))
    assert.ok(!answer.body.includes('.ibt'))
  }
  await checkUnharmed(service)
})

test('answers a file without a complete lap, for the page to decide', async () => {
  const answer = await post(service, file(aSession({ rows: 300 })))
  assert.equal(answer.statusCode, 200)
  const { laps } = JSON.parse(answer.body)
  assert.ok(laps.length > 0)
  assert.ok(laps.every((lap: { is_completed: boolean }) => !lap.is_completed))
})

test('ignores other fields of the form before and after the file', async () => {
  const field = (name: string) => ({ name, content: 'true' })
  const answer = await post(service, [field('validate'), ...file(aSession()), field('load')])
  assert.equal(answer.statusCode, 200)
})

test('answers packed columns for application/x-protobuf that decode to identical bits', async () => {
  await checkRepresentations(aSession())
})

for (const folder of ['real', 'laps', 'broken/cut-in-records.ibt']) {
  test(`answers the values of the library for ${folder}, as JSON and as packed columns`, {
    skip: sharedIbtMissing,
  }, async () => {
    const path = sharedIbt(folder)
    const names = statSync(path).isDirectory() ? readdirSync(path).map(name => `${path}/${name}`) : [path]
    assert.ok(names.length > 0)
    for (const name of names) await checkRepresentations(readFileSync(name))
  })
}

async function checkRepresentations(content: Uint8Array) {
  const expected = await previewSession(bytesSource(content))
  const packed = await post(service, file(content), { headers: { accept: 'application/x-protobuf' } })
  assert.equal(packed.statusCode, 200)
  assert.equal(packed.headers['content-type'], 'application/x-protobuf')
  const decoded = decodePreview(packed.bytes)
  for (const name of Object.keys(expected) as (keyof Preview)[]) {
    if (name === 'laps' || name === 'fileLaps' || name === 'meta' || name === 'debug')
      assert.deepEqual(decoded[name], expected[name])
    else assert.deepEqual(bitsOf(decoded, name), bitsOf(expected, name), name)
  }
  const json = await post(service, file(content))
  assert.deepEqual(JSON.parse(json.body), JSON.parse(JSON.stringify(previewToJson(expected))))
}

function bitsOf(preview: Preview, name: SeriesName): Buffer {
  const { buffer, byteOffset, byteLength } = preview[name]
  return Buffer.from(buffer, byteOffset, byteLength)
}

test('answers the same for a large file with or without a stated length, and with or without fields after it', async () => {
  // Enough rows for a head start, if the length is stated.
  const content = aSession({ rows: 160_000 })
  assert.ok(content.length > 8 * 1024 * 1024)
  const headers = { accept: 'application/x-protobuf' }
  const field = { name: 'load', content: 'x'.repeat(1000) }
  const expected = await post(service, file(content), { headers })
  for (const parts of [file(content), [...file(content), field]]) {
    const length = Array.from(form(parts).chunks, chunk => chunk.byteLength).reduce((sum, each) => sum + each)
    const answer = await post(service, parts, { headers: { ...headers, 'content-length': String(length) } })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.headers.etag, expected.headers.etag)
  }
})

test('compresses the same content with gzip if the client accepts it', async () => {
  for (const accept of ['application/json', 'application/x-protobuf']) {
    const plain = await post(service, file(aSession()), { headers: { accept } })
    const packed = await post(service, file(aSession()), {
      headers: { accept, 'accept-encoding': 'gzip, deflate, br' },
    })
    assert.equal(packed.headers['content-encoding'], 'gzip')
    assert.deepEqual(gunzipSync(packed.bytes), plain.bytes)
    assert.ok(packed.bytes.length < plain.bytes.length / 2)
  }
})

test('sends a strong ETag of the bytes, different for each representation, and a matching Vary', async () => {
  const tags = new Set<string>()
  for (const accept of ['application/json', 'application/x-protobuf']) {
    for (const encoding of ['gzip', 'identity']) {
      const ask = () => post(service, file(aSession()), { headers: { accept, 'accept-encoding': encoding } })
      const [one, two] = [await ask(), await ask()]
      assert.equal(one.headers.vary, 'Accept, Accept-Encoding')
      assert.equal(one.headers.etag, `"${createHash('sha256').update(one.bytes).digest('base64url')}"`)
      assert.equal(two.headers.etag, one.headers.etag)
      tags.add(one.headers.etag as string)
    }
  }
  assert.equal(tags.size, 4)
})

test('leaves no file after an answer', async () => {
  await Promise.all(Array.from({ length: 8 }, () => post(service, file(aSession()))))
  await until(() => service.filesUnderWay().length === 0, 'no file is left')
})
