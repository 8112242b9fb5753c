import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { BoardWait } from '#shared/boards/board-wait.ts'
import { aRow } from '#testing/a-board.ts'
import type { BoardPage, Me } from './board-api.ts'
import { type CardFacts, cardRows, cardState, type Known } from './card-state.ts'

const known = <T>(data: T): Known<T> => ({ data, error: undefined })
const unknown: Known<never> = { data: undefined, error: undefined }
const failed: Known<never> = { data: undefined, error: new Error('503 Service Unavailable') }

const leader = aRow(1)
const me = aRow(14, { user_id: 'me' })
const page = (...rows: BoardPage['rows']) => ({ rows, total: 1204 }) as unknown as BoardPage
const own = (row: typeof me | null, window = row ? [row] : []): Me => ({
  ok: true,
  context_id: 1,
  me: row,
  window,
  total: 1204,
})

const nothing: BoardWait = { kind: 'nothing' }
const coming: BoardWait = { kind: 'coming', sinceMs: 0 }
const due: BoardWait = { kind: 'due', sinceMs: 0 }
const past: BoardWait = { kind: 'past' }
const unsaved: BoardWait = { kind: 'failed', canRetry: true }

const facts = (change: Partial<CardFacts>): CardFacts => ({
  context: known(1),
  top: known(page(leader)),
  own: known(own(null)),
  wait: nothing,
  isHeld: false,
  waitedMs: 0,
  wasRanked: false,
  ...change,
})
const kindOf = (change: Partial<CardFacts>) => cardState(facts(change)).kind

test('is a skeleton while anything that it needs is missing', () => {
  assert.equal(kindOf({ context: unknown, top: unknown, own: unknown }), 'loading')
  assert.equal(kindOf({ own: unknown }), 'loading')
  assert.equal(kindOf({ top: unknown }), 'loading')
})

test('is an error if a needed answer fails, unless an older answer is there', () => {
  assert.equal(kindOf({ context: failed }), 'failed')
  assert.equal(kindOf({ own: failed }), 'failed')
  assert.equal(kindOf({ top: failed }), 'failed')
  const late = new Error('503')
  assert.equal(
    kindOf({ own: { data: own(me), error: late }, top: { data: page(leader), error: late } }),
    'ranked',
  )
})

test('is empty for a combination without laps, and waits while a lap of it is on its way', () => {
  assert.deepEqual(cardState(facts({ context: known(null) })), { kind: 'empty', unsaved: null })
  for (const wait of [coming, due]) {
    assert.deepEqual(cardState(facts({ context: known(null), wait })), {
      kind: 'waiting',
      sentence: 'Fetching latest leaderboard data...',
      isSlow: false,
    })
  }
})

test('says that the lap data is being processed while the driver’s entry is awaited', () => {
  for (const wait of [coming, due]) {
    assert.deepEqual(cardState(facts({ wait })), {
      kind: 'waiting',
      sentence: 'Processing lap data...',
      isSlow: false,
    })
  }
})

test('says after 60 s without the entry that it takes too long, and not earlier', () => {
  for (const context of [known(1), known(null)]) {
    for (const [waitedMs, isSlow] of [
      [59_999, false],
      [60_000, true],
    ] as const) {
      const state = cardState(facts({ context, wait: due, waitedMs }))
      assert.equal(state.kind === 'waiting' && state.isSlow, isSlow)
    }
  }
})

test('asks for patience if there is a top row without an own row, or says why no entry will come', () => {
  const top = { kind: 'top', top: leader, total: 1204, unsaved: null, noRankReason: null }
  assert.deepEqual(cardState(facts({})), top)
  assert.deepEqual(cardState(facts({ wait: unsaved })), { ...top, unsaved: { canRetry: true } })
  assert.deepEqual(cardState(facts({ wait: { kind: 'failed', canRetry: false } })), {
    ...top,
    unsaved: { canRetry: false },
  })
  assert.deepEqual(cardState(facts({ wait: { kind: 'never' } })), { ...top, noRankReason: 'sample' })
  assert.equal(kindOf({ top: known(page()) }), 'empty')
  assert.equal(kindOf({ top: known(null) }), 'empty')
})

test('does not wait for an entry that left the board, however long ago its lap was judged', () => {
  for (const left of [
    { wait: due, wasRanked: true, waitedMs: 90_000 },
    { wait: past, waitedMs: 90_000 },
  ]) {
    const state = cardState(facts(left))
    assert.equal(state.kind === 'top' && state.noRankReason, 'left')
    assert.equal(kindOf({ ...left, top: known(page()) }), 'empty')
    assert.equal(kindOf({ ...left, own: known(own(me)) }), 'ranked')
  }
  // A newer lap is on its way.
  assert.equal(kindOf({ wait: coming, wasRanked: true }), 'waiting')
})

test('shows the own entry in any case, also while a newer lap is on its way', () => {
  for (const wait of [nothing, due, past, unsaved]) {
    const state = cardState(facts({ own: known(own(me)), wait, waitedMs: 90_000 }))
    assert.deepEqual(state.kind === 'ranked' && [state.me, state.total, state.isUpdating], [me, 1204, false])
  }
  const state = cardState(facts({ own: known(own(me)), wait: coming, top: failed }))
  assert.equal(state.kind === 'ranked' && state.isUpdating, true)
})

test('does not wait for a lap that is held for review, with or without laps of others', () => {
  for (const wait of [{ kind: 'held' }, nothing, past] as const) {
    const held = { wait, isHeld: true, waitedMs: 90_000 }
    assert.deepEqual(cardState(facts(held)), { kind: 'held', top: leader })
    assert.deepEqual(cardState(facts({ ...held, context: known(null) })), { kind: 'held', top: null })
    assert.deepEqual(cardState(facts({ ...held, top: known(page()) })), { kind: 'held', top: null })
    const ranked = cardState(facts({ ...held, own: known(own(me)) }))
    assert.deepEqual(ranked.kind === 'ranked' && ranked.isHeld, true)
  }
  // A newer lap, a failure and the sample session come before the held lap.
  assert.equal(kindOf({ wait: coming, isHeld: true }), 'waiting')
  assert.equal(kindOf({ wait: unsaved, isHeld: true }), 'top')
  assert.equal(kindOf({ wait: { kind: 'never' }, isHeld: true }), 'top')
})

test('shows the leader and the neighbours around the own row', () => {
  const window = [12, 13, 14, 15, 16].map(rank => (rank === 14 ? me : aRow(rank)))
  assert.deepEqual(
    cardRows(leader, me, window).map(({ rank }) => rank),
    [1, 13, 14, 15],
  )
  // Ranks 1, 3, 4 and 5 would leave out one.
  const fourth = aRow(4, { user_id: 'me' })
  assert.deepEqual(
    cardRows(leader, fourth, [aRow(2), aRow(3), fourth, aRow(5), aRow(6)]).map(({ rank }) => rank),
    [1, 2, 3, 4],
  )
  const fifth = aRow(5, { user_id: 'me' })
  assert.deepEqual(
    cardRows(leader, fifth, [leader, aRow(2), aRow(3), aRow(4), fifth]).map(({ rank }) => rank),
    [1, 2, 3, 4, 5],
  )
  const first = aRow(1, { user_id: 'me' })
  assert.deepEqual(
    cardRows(first, first, [first, aRow(2), aRow(3), aRow(4), aRow(5)]).map(({ rank }) => rank),
    [1, 2, 3, 4],
  )
})

test('orders the card’s rows as on the board, with each row once and the own row always included', () => {
  const boards = fc.record({
    total: fc.integer({ min: 1, max: 30 }),
    rank: fc.nat(),
    size: fc.integer({ min: 1, max: 9 }),
  })
  fc.assert(
    fc.property(boards, ({ total, rank, size }) => {
      const board = Array.from({ length: total }, (_, index) => aRow(index + 1))
      const own = board[rank % total]!
      const first = Math.max(0, Math.min(own.rank - 1 - Math.floor(size / 2), total - size))
      const rows = cardRows(board[0], own, board.slice(first, first + size))
      const ranks = rows.map(({ rank }) => rank)
      assert.deepEqual(
        ranks,
        [...new Set(ranks)].sort((a, b) => a - b),
      )
      assert.ok(ranks.includes(own.rank) && ranks.includes(1))
      assert.ok(rows.length <= 5)
      const isLeftOut = (rank: number) =>
        !ranks.includes(rank) && ranks.includes(rank - 1) && ranks.includes(rank + 1)
      const shown = board.slice(first, first + size).map(row => row.rank)
      assert.deepEqual(shown.filter(isLeftOut), [])
      assert.ok(rows.every(row => board.includes(row)))
    }),
  )
})
