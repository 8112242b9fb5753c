import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInLanes } from './run-in-lanes.ts'

/** Runs the queues. `endNext` chooses the item that ends next. Returns the running items before each end. */
async function play(queues: string[][], lanes: number, endNext: (running: string[]) => string) {
  const steps: string[][] = []
  const running = new Map<string, () => void>()
  const all = runInLanes({
    queues,
    lanes,
    run: item => new Promise<void>(end => void running.set(item, end)),
  })
  let isOver = false
  void all.then(() => {
    isOver = true
  })
  for (;;) {
    await new Promise(resolve => setImmediate(resolve))
    if (isOver) return steps
    const names = [...running.keys()].sort()
    steps.push(names)
    const ended = endNext(names)
    running.get(ended)!()
    running.delete(ended)
  }
}

test('runs in each lane its own queue, and then the items of the other', async () => {
  assert.deepEqual(await play([['a1', 'a2', 'a3'], ['b1']], 2, names => names.at(-1)!), [
    ['a1', 'b1'],
    ['a1', 'a2'],
    ['a1', 'a3'],
    ['a1'],
  ])
})

test('runs queue after queue in one lane', async () => {
  assert.deepEqual(await play([['a1', 'a2'], ['b1']], 1, ([name]) => name!), [['a1'], ['a2'], ['b1']])
})

test('shares the queues between more lanes than queues', async () => {
  assert.deepEqual((await play([['a1', 'a2'], ['b1']], 3, ([name]) => name!))[0], ['a1', 'a2', 'b1'])
})

test('rejects if an item fails', async () => {
  const run = async () => {
    throw new Error('ouch')
  }
  await assert.rejects(runInLanes({ queues: [['a']], lanes: 2, run }), /ouch/)
})
