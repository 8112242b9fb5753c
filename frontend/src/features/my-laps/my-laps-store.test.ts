import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aSavedLap } from '#testing/a-saved-lap.ts'
import { createFakeBoards } from '#testing/fake-boards.ts'
import { settle } from '#testing/manual-clock.ts'
import { createMyLapsApi, type MyLap } from './my-laps-api.ts'
import { createMyLapsStore } from './my-laps-store.ts'

function harness(laps: readonly MyLap[]) {
  const fake = createFakeBoards({ userOf: () => 'user-test-1' })
  fake.laps.push(...laps)
  const notices: string[] = []
  let removals = 0
  const authorised = (input: RequestInfo | URL, init?: RequestInit) => fake.handle(new Request(input, init))
  const store = createMyLapsStore({
    api: createMyLapsApi({ baseUrl: 'https://lapwing.test/api', authorised }),
    notify: {
      success: sentence => void notices.push(`success: ${sentence}`),
      info: () => {},
      error: sentence => void notices.push(`error: ${sentence}`),
    },
    onRemoved: () => void removals++,
  })
  return {
    fake,
    store,
    notices,
    removals: () => removals,
    numbers: () => store.get().laps.map(({ lap }) => lap),
  }
}

const laps = (count: number) => Array.from({ length: count }, (_, index) => aSavedLap(index + 1))
const busy = { problem: [503, 'ingest.busy', 'The lap is being taken off the boards.'] } as const

test('loads laps page after page to the last', async () => {
  const { store, fake, numbers } = harness(laps(120))
  await store.load()
  assert.deepEqual([numbers().length, store.get().hasMore], [50, true])
  await store.load()
  await store.load()
  assert.deepEqual([numbers().length, store.get().hasMore], [120, false])
  await store.load()
  assert.equal(fake.count('GET /laps'), 3)
  assert.deepEqual(
    numbers(),
    laps(120).map(({ lap }) => lap),
  )
})

test('shows a lap once if a new lap moved it to the next page', async () => {
  const { store, fake, numbers } = harness(laps(60))
  await store.load()
  fake.laps.unshift(aSavedLap(999))
  await store.load()
  assert.equal(new Set(numbers()).size, numbers().length)
})

test('loads one page for two presses', async () => {
  const { store, fake } = harness(laps(60))
  await Promise.all([store.load(), store.load()])
  assert.equal(fake.count('GET /laps'), 1)
})

test('says why a page could not be loaded, and can load it again', async () => {
  const { store, fake } = harness(laps(3))
  fake.answerNext(
    'GET /laps',
    { problem: [503, 'ingest.busy', 'Busy. Try again soon.'] },
    { network: true },
    () => Response.json({ ok: true, laps: [{ lap: 1 }], next_cursor: null }),
  )
  for (const sentence of [
    'Busy. Try again soon.',
    'Your laps could not be loaded.',
    'Your laps could not be loaded.',
  ]) {
    await store.load()
    assert.deepEqual([store.get().problem, store.get().isLoading], [sentence, false])
  }
  await store.load()
  assert.deepEqual([store.get().problem, store.get().laps.length], [null, 3])
})

test('hides a lap from references and shows it again', async () => {
  const { store, fake } = harness(laps(2))
  await store.load()
  for (const isAllowed of [false, true]) {
    const done = store.setReferenceAllowed(store.get().laps[1]!, isAllowed)
    assert.deepEqual([...store.get().busy], [store.get().laps[1]!.lap_id])
    await done
    assert.deepEqual(
      store.get().laps.map(({ reference_allowed }) => reference_allowed),
      [true, isAllowed],
    )
    assert.deepEqual([...store.get().busy], [])
  }
  assert.deepEqual(fake.calls.at(-1)?.body, { reference_allowed: true })
})

test('reports a change that fails, and changes nothing', async () => {
  const { store, fake, notices } = harness(laps(1))
  await store.load()
  fake.answerNext(/^PATCH/, { network: true })
  await store.setReferenceAllowed(store.get().laps[0]!, false)
  assert.equal(store.get().laps[0]?.reference_allowed, true)
  assert.deepEqual(notices, ['error: This could not be changed. Please try again.'])
})

test('removes a deleted lap, and fetches no boards if it was on none', async () => {
  const { store, notices, removals, numbers } = harness(laps(3))
  await store.load()
  assert.equal(await store.remove(store.get().laps[1]!), true)
  assert.deepEqual(numbers(), [1, 3])
  assert.deepEqual([notices, removals()], [['success: Lap deleted.'], 0])
})

test('shows the entry that takes the place of a deleted one, on every loaded page', async () => {
  const { store, fake, removals } = harness([aSavedLap(1, { on_board: ['complete'] }), ...laps(120).slice(1)])
  await store.load()
  await store.load()
  fake.laps[60] = { ...fake.laps[60]!, on_board: ['complete'] }
  await store.remove(store.get().laps[0]!)
  assert.equal(removals(), 1)
  assert.deepEqual(
    store
      .get()
      .laps.filter(({ on_board }) => on_board.length > 0)
      .map(({ lap }) => lap),
    [61],
  )
})

test('keeps a lap that cannot be deleted, and reports the reason', async () => {
  const { store, fake, notices, numbers } = harness(laps(2))
  await store.load()
  fake.answerNext(/^DELETE/, busy)
  assert.equal(await store.remove(store.get().laps[0]!), false)
  assert.deepEqual(numbers(), [1, 2])
  assert.deepEqual(notices, ['error: The lap is being taken off the boards.'])
})

test('makes one change of a lap at a time', async () => {
  const { store, fake } = harness(laps(1))
  await store.load()
  const [lap] = store.get().laps
  await Promise.all([store.remove(lap!), store.remove(lap!), store.setReferenceAllowed(lap!, false)])
  await settle()
  assert.equal(fake.count(/^(DELETE|PATCH)/), 1)
})
