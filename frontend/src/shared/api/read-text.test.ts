import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readText } from './read-text.ts'

test('reads a body, also if a character is in two parts', async () => {
  const bytes = new TextEncoder().encode('Nürburgring')
  const parts = [bytes.subarray(0, 2), bytes.subarray(2)]
  const body = new ReadableStream({
    pull: stream => (parts.length > 0 ? stream.enqueue(parts.shift()) : stream.close()),
  })
  assert.equal(await readText(new Response(body), 12), 'Nürburgring')
  assert.equal(await readText(new Response(null), 12), '')
})

test('stops at the limit of a body that never ends', async () => {
  let sent = 0
  let isCancelled = false
  const endless = new ReadableStream({
    pull(stream) {
      sent++
      stream.enqueue(new Uint8Array(1000))
    },
    cancel() {
      isCancelled = true
    },
  })
  await assert.rejects(readText(new Response(endless), 10_000), RangeError)
  assert.ok(isCancelled && sent < 20, `${sent}`)
})
