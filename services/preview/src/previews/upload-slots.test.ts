import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUploadSlots, MEAN_ANSWER_BYTES } from './upload-slots.ts'

test('gives all slots, half of them to one client, and reuses released ones', () => {
  const slots = createUploadSlots(4)
  const [first, second] = [slots.take('a'), slots.take('a')]
  assert.throws(() => slots.take('a'), { code: 'preview.rate_limited' })
  slots.take('b')
  slots.take('c')
  assert.throws(() => slots.take('d'), { code: 'preview.busy' })
  first.release()
  first.release()
  slots.take('a')
  assert.throws(() => slots.take('d'), { code: 'preview.busy' })
  second.release()
  slots.take('d')
})

test('gives the only slot to any client', () => {
  const slots = createUploadSlots(1)
  slots.take('a').release()
  slots.take('b')
  assert.throws(() => slots.take('c'), { code: 'preview.busy' })
})

test('bounds the bytes of unsent answers together, and accepts a single one of any size', () => {
  const slots = createUploadSlots(2)
  const [first, second] = [slots.take('a'), slots.take('b')]
  first.hold(5 * MEAN_ANSWER_BYTES)
  assert.throws(() => second.hold(1), { code: 'preview.busy' })
  first.release()
  second.hold(MEAN_ANSWER_BYTES)
  const third = slots.take('a')
  third.hold(MEAN_ANSWER_BYTES)
  second.release()
  third.release()
  slots.take('a').hold(5 * MEAN_ANSWER_BYTES)
})
