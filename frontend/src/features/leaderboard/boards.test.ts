import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jefferson, someEntries } from '#testing/a-board.ts'
import { createFakeBoards } from '#testing/fake-boards.ts'
import { isBoardKey } from './board-keys.ts'
import { createBoards } from './boards.ts'

test('shows a driver’s new name immediately in every answer, and fetches the visible answers again', async () => {
  const fake = createFakeBoards({ userOf: () => 'user-test-5' })
  fake.addEntries(jefferson, someEntries(10))
  const revalidated: ((key: unknown) => boolean)[] = []
  const boards = createBoards({
    baseUrl: 'https://lapwing.test/api',
    authorised: (input, init) => fake.handle(new Request(input, init)),
    nowMs: () => 0,
    after: () => () => {},
    revalidate: async isMeant => void revalidated.push(isMeant),
  })
  const own = { contextId: 1, board: 'complete', window: 5, deltaReference: 'p1' } as const
  const page = {
    combination: jefferson,
    board: 'complete',
    limit: 50,
    offset: 0,
    deltaReference: 'p1',
  } as const
  const before = await boards.api.page(page)

  boards.rename('user-test-5', 'late_apex')
  assert.deepEqual(
    revalidated.map(isMeant => isMeant === isBoardKey),
    [true],
  )
  const { me, window } = await boards.api.me(own)
  assert.equal(me?.display_name, 'late_apex')
  assert.equal(window.find(row => row.user_id === 'user-test-5')?.display_name, 'late_apex')
  const after = await boards.api.page(page)
  const others = (rows = before?.rows) => rows?.filter(row => row.user_id !== 'user-test-5')
  assert.equal(after?.rows.find(row => row.user_id === 'user-test-5')?.display_name, 'late_apex')
  assert.deepEqual(others(after?.rows), others())
})
