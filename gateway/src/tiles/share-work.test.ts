import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSharedWork } from './share-work.ts'

/** Works that end when the test says so. */
function works() {
  const open: { readonly gone: AbortSignal; readonly end: (value: string) => void }[] = []
  return { open, work: (gone: AbortSignal) => new Promise<string>(end => open.push({ gone, end })) }
}

const stays = () => new AbortController().signal

test('runs equal works once while one runs, and again after it', async () => {
  const share = createSharedWork<string>()
  const { open, work } = works()
  const both = Promise.all([share('a', work, stays()), share('a', work, stays())])
  const other = share('b', work, stays())
  assert.equal(open.length, 2)
  open[0]!.end('first')
  open[1]!.end('other')
  assert.deepEqual(await both, [
    { value: 'first', isOwn: true },
    { value: 'first', isOwn: false },
  ])
  assert.equal((await other).value, 'other')
  const again = share('a', work, stays())
  open[2]!.end('second')
  assert.deepEqual(await again, { value: 'second', isOwn: true })
})

test('continues for those who stay, and is aborted when the last one leaves', async () => {
  const share = createSharedWork<string>()
  const { open, work } = works()
  const [first, second] = [new AbortController(), new AbortController()]
  const answers = [share('a', work, first.signal), share('a', work, second.signal)]
  first.abort(new Error('left'))
  await assert.rejects(answers[0]!, /left/)
  assert.equal(open[0]!.gone.aborted, false)
  second.abort(new Error('left, too'))
  await assert.rejects(answers[1]!, /left, too/)
  assert.equal(open[0]!.gone.aborted, true)
  const next = share('a', work, stays())
  open[1]!.end('new')
  assert.equal((await next).value, 'new')
})

test('passes a failure to all, and forgets it', async () => {
  const share = createSharedWork<string>()
  const fail = async () => {
    throw new Error('no')
  }
  const answers = await Promise.allSettled([share('a', fail, stays()), share('a', fail, stays())])
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual(await share('a', async () => 'yes', stays()), { value: 'yes', isOwn: true })
})
