import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHeadStart } from './head-start.ts'
import type { PreviewBody } from './preview-pool.ts'

const mib = 1024 * 1024
const body: PreviewBody = { body: new Uint8Array(1), etag: '"x"' }

interface Line {
  readonly formBytes?: number
  readonly isFree?: () => boolean
}

/** Creates a head start with its own clock, and records its calls. */
function aHeadStart({ formBytes = 100 * mib, isFree = () => true }: Line = {}) {
  let timeMs = 5000
  const calls: string[] = []
  const headStart = createHeadStart({
    formBytes,
    nowMs: () => timeMs,
    begin(atMostBytes) {
      if (!isFree()) return null
      calls.push(`begin ${atMostBytes / mib}`)
      return {
        wrote: bytes => calls.push(`wrote ${bytes / mib}`),
        async whole() {
          calls.push('whole')
          return body
        },
        giveUp: () => calls.push('give up'),
      }
    },
  })
  return {
    ...headStart,
    calls,
    pass(ms: number) {
      timeMs += ms
    },
  }
}

test('starts to read when the rest will arrive within half a second', async () => {
  const { pass, wrote, finish, calls } = aHeadStart()
  pass(1000)
  wrote(60 * mib)
  assert.deepEqual(calls, [])
  pass(100)
  wrote(70 * mib)
  wrote(80 * mib)
  assert.equal(await finish(), body)
  assert.deepEqual(calls, ['begin 100', 'wrote 70', 'wrote 80', 'whole'])
})

for (const [name, options, bytes] of [
  ['of a small file', { formBytes: 4 * mib }, 3 * mib],
  ['of a file whose length is not stated', { formBytes: Number.NaN }, 50 * mib],
  ['of a form longer than its sender states', { formBytes: 50 * mib }, 60 * mib],
  ['without a free thread', { isFree: () => false }, 90 * mib],
] as const) {
  test(`does not read ahead ${name}`, async () => {
    const { pass, wrote, finish, calls } = aHeadStart(options)
    pass(10)
    wrote(bytes)
    assert.equal(await finish(), null)
    assert.deepEqual(calls, [])
  })
}

test('uses a thread that becomes free during the upload', () => {
  let isFree = false
  const { pass, wrote, calls } = aHeadStart({ isFree: () => isFree })
  pass(100)
  wrote(50 * mib)
  isFree = true
  wrote(60 * mib)
  assert.deepEqual(calls, ['begin 100', 'wrote 60'])
})

test('gives up a reading once, and not after its end', async () => {
  const left = aHeadStart()
  left.wrote(50 * mib)
  left.giveUp()
  left.giveUp()
  assert.deepEqual(left.calls, ['begin 100', 'wrote 50', 'give up'])

  const done = aHeadStart()
  done.wrote(50 * mib)
  await done.finish()
  done.giveUp()
  assert.equal(done.calls.at(-1), 'whole')
})
