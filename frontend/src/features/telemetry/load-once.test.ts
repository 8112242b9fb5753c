import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoadOnce, FinalError, withRetries } from './load-once.ts'

test('retries three times, each after its number times 2 to the power of it', async () => {
  const waits: number[] = []
  let calls = 0
  const failing = async () => {
    calls++
    throw new Error(`call ${calls}`)
  }
  await assert.rejects(
    withRetries(failing, async ms => waits.push(ms)),
    /call 4/,
  )
  assert.deepEqual(waits, [2, 8, 24])
})

test('stops retrying when it has loaded, or when another attempt is useless', async () => {
  let calls = 0
  const second = async () => {
    calls++
    if (calls < 2) throw new Error('not yet')
    return 'loaded'
  }
  assert.equal(await withRetries(second, async () => {}), 'loaded')
  assert.equal(calls, 2)
  let refused = 0
  const refuse = async () => {
    refused++
    throw new FinalError('refused', 403)
  }
  await assert.rejects(
    withRetries(refuse, async () => {}),
    { status: 403 },
  )
  assert.equal(refused, 1)
})

test('loads once for all callers, again after a failure, and never with other options', async () => {
  let calls = 0
  const load = createLoadOnce(async ({ key }: { key: string }) => {
    calls++
    if (calls === 1) throw new FinalError('refused', 403)
    return key
  })
  await assert.rejects(load({ key: 'a' }))
  assert.deepEqual(await Promise.all([load({ key: 'a' }), load({ key: 'a' })]), ['a', 'a'])
  assert.equal(calls, 2)
  assert.throws(() => load({ key: 'b' }), /other options/)
})
