import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInLanes } from './run-in-lanes.ts'

/** Runs the queues, ending one of the things under way at a time, as `endNext` says; answers what ran when. */
async function play(queues: string[][], lanes: number, endNext: (underWay: string[]) => string) {
  const steps: string[][] = []
  const underWay = new Map<string, () => void>()
  const all = runInLanes({
    queues,
    lanes,
    run: item => new Promise<void>(end => void underWay.set(item, end)),
  })
  let isOver = false
  void all.then(() => {
    isOver = true
  })
  for (;;) {
    await new Promise(resolve => setImmediate(resolve))
    if (isOver) return steps
    const names = [...underWay.keys()].sort()
    steps.push(names)
    const ended = endNext(names)
    underWay.get(ended)!()
    underWay.delete(ended)
  }
}

test('each lane has a queue of its own and then helps with the other', async () => {
  assert.deepEqual(await play([['a1', 'a2', 'a3'], ['b1']], 2, names => names.at(-1)!), [
    ['a1', 'b1'],
    ['a1', 'a2'],
    ['a1', 'a3'],
    ['a1'],
  ])
})

test('one lane does everything, queue after queue', async () => {
  assert.deepEqual(await play([['a1', 'a2'], ['b1']], 1, ([name]) => name!), [['a1'], ['a2'], ['b1']])
})

test('more lanes than queues share them', async () => {
  assert.deepEqual((await play([['a1', 'a2'], ['b1']], 3, ([name]) => name!))[0], ['a1', 'a2', 'b1'])
})

test('a thing that fails fails the whole', async () => {
  const run = async () => {
    throw new Error('ouch')
  }
  await assert.rejects(runInLanes({ queues: [['a']], lanes: 2, run }), /ouch/)
})
