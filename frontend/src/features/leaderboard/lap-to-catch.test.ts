import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aRow, jefferson } from '#testing/a-board.ts'
import type { BoardApi, BoardPage } from './board-api.ts'
import { findLapToCatch } from './lap-to-catch.ts'

/**
 * Returns the board API over a list of times, fastest first. The driver has the given rank; 0 means no entry.
 */
function aBoard(timesMs: readonly number[], rank: number) {
  const rows = timesMs.map((best_lap_time_ms, index) => aRow(index + 1, { best_lap_time_ms }))
  const own = rows[rank - 1] ?? null
  let pages = 0
  const api: Pick<BoardApi, 'contextId' | 'me' | 'page'> = {
    contextId: async () => (rows.length === 0 ? null : 1),
    async me({ window }) {
      const first = own ? Math.max(0, own.rank - 1 - Math.floor(window / 2)) : 0
      const around = own ? rows.slice(first, first + window) : []
      return { ok: true, context_id: 1, me: own, window: around, total: rows.length }
    },
    async page({ offset, limit }) {
      pages++
      return { rows: rows.slice(offset, offset + limit) } as unknown as BoardPage
    },
  }
  return { api, rows, own, pages: () => pages }
}

test('finds the lap nearest to one second ahead', async () => {
  const { api, pages } = aBoard([48_000, 49_400, 50_100, 50_900, 51_000], 5)
  assert.equal((await findLapToCatch(api, jefferson))?.best_lap_time_ms, 50_100)
  assert.equal(pages(), 0)
})

test('finds nothing for a leader, for a driver without a lap there, and without a board', async () => {
  assert.equal(await findLapToCatch(aBoard([50_000, 50_500], 1).api, jefferson), null)
  assert.equal(await findLapToCatch(aBoard([50_000, 50_500], 0).api, jefferson), null)
  assert.equal(await findLapToCatch(aBoard([], 0).api, jefferson), null)
})

test('skips a lap that its driver does not share', async () => {
  const { api, rows } = aBoard([48_000, 49_400, 50_100, 50_900, 51_000], 5)
  rows[2] = { ...rows[2]!, reference_available: false }
  assert.equal((await findLapToCatch(api, jefferson))?.best_lap_time_ms, 49_400)
})

test('skips a refused lap for the next nearest, on a full board too', async () => {
  const few = aBoard([48_000, 49_400, 50_100, 50_900, 51_000], 5)
  const first = await findLapToCatch(few.api, jefferson)
  const next = await findLapToCatch(few.api, jefferson, new Set([first!.lap_id]))
  assert.equal(next?.best_lap_time_ms, 49_400)
  const all = new Set(few.rows.map(row => row.lap_id))
  assert.equal(await findLapToCatch(few.api, jefferson, all), null)

  const times = Array.from({ length: 10_000 }, (_, index) => 50_000 + index)
  const full = aBoard(times, 8_000)
  const refused = new Set<string>()
  for (let tries = 0; tries < 4; tries++) {
    const found = await findLapToCatch(full.api, jefferson, refused)
    assert.ok(found && !refused.has(found.lap_id))
    assert.ok(Math.abs(full.own!.best_lap_time_ms - 1000 - found.best_lap_time_ms) <= 200)
    refused.add(found.lap_id)
  }
})

test('finds the leader for a driver close behind', async () => {
  const { api } = aBoard([50_000, 50_040, 50_060], 3)
  assert.equal((await findLapToCatch(api, jefferson))?.rank, 1)
})

test('looks beyond the neighbours on a full board, in few steps', async () => {
  const times = Array.from({ length: 100_000 }, (_, index) => 50_000 + Math.floor(index / 10))
  const { api, own, pages } = aBoard(times, 80_000)
  const found = await findLapToCatch(api, jefferson)
  assert.ok(Math.abs(own!.best_lap_time_ms - 1000 - found!.best_lap_time_ms) <= 100)
  assert.ok(pages() <= 17, `${pages()} pages`)
})

test('finds a lap that is about as near to one second as any lap ahead, on every board', async () => {
  const boards = fc
    .array(fc.integer({ min: 40_000, max: 60_000 }), { minLength: 2, maxLength: 400 })
    .chain(times =>
      fc.record({
        times: fc.constant(times.toSorted((a, b) => a - b)),
        rank: fc.integer({ min: 2, max: times.length }),
      }),
    )
  await fc.assert(
    fc.asyncProperty(boards, async ({ times, rank }) => {
      const { api, rows, own } = aBoard(times, rank)
      const missing = (ms: number) => Math.abs(own!.best_lap_time_ms - 1000 - ms)
      const found = await findLapToCatch(api, jefferson)
      assert.ok(found && found.rank < rank)
      const best = Math.min(...rows.slice(0, rank - 1).map(row => missing(row.best_lap_time_ms)))
      assert.ok(missing(found.best_lap_time_ms) <= Math.max(best, 100))
    }),
  )
})
