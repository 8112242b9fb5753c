import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUploadSlots, MEAN_ANSWER_BYTES } from './upload-slots.ts'

test('as many slots as there are, half of them for one client, and each can be had again', () => {
  const slots = createUploadSlots(4)
  const [first, second] = [slots.take('a'), slots.take('a')]
  assert.throws(() => slots.take('a'), { code: 'preview.rate_limited' })
  slots.take('b')
  slots.take('c')
  assert.throws(() => slots.take('d'), { code: 'preview.busy' })
  first.giveBack()
  first.giveBack()
  slots.take('a')
  assert.throws(() => slots.take('d'), { code: 'preview.busy' })
  second.giveBack()
  slots.take('d')
})

test('the only slot is for anybody', () => {
  const slots = createUploadSlots(1)
  slots.take('a').giveBack()
  slots.take('b')
  assert.throws(() => slots.take('c'), { code: 'preview.busy' })
})

test('answers that are not taken are held up to their bytes together, and one alone of any size', () => {
  const slots = createUploadSlots(2)
  const [first, second] = [slots.take('a'), slots.take('b')]
  first.hold(5 * MEAN_ANSWER_BYTES)
  assert.throws(() => second.hold(1), { code: 'preview.busy' })
  first.giveBack()
  second.hold(MEAN_ANSWER_BYTES)
  const third = slots.take('a')
  third.hold(MEAN_ANSWER_BYTES)
  second.giveBack()
  third.giveBack()
  slots.take('a').hold(5 * MEAN_ANSWER_BYTES)
})
