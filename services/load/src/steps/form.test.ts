import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeForm } from './form.ts'

test('writes a form that has the fields in their order and the file last', async () => {
  const file = Uint8Array.from({ length: 1_000 }, (_, index) => index % 256)
  const fields = { key: 'uploads/1', policy: 'e30=', 'x-amz-date': '20260516T132000Z' }
  const { contentType, body } = writeForm(fields, file)
  const answer = new Response(body as Uint8Array<ArrayBuffer>, { headers: { 'content-type': contentType } })
  const entries = [...(await answer.formData()).entries()]
  assert.deepEqual(entries.slice(0, -1), Object.entries(fields))
  const [name, value] = entries.at(-1)!
  assert.equal(name, 'file')
  assert.ok(value instanceof File)
  assert.equal(value.name, 'session.ibt')
  assert.deepEqual(await value.bytes(), file)
})
