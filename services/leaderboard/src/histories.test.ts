import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { BOARD_NAMES, type BoardName, boardId } from './boards/board.ts'
import { fromMicroseconds } from './boards/moment.ts'
import { hideDriver, hideLap, restoreDriver, restoreLap } from './moderation/hide.ts'
import type { WireStanding } from './test/a-standing.ts'
import { type Harness, harness, type Page, type Row } from './test/harness.ts'
import { type ExpectedRow, type HistoryModel, historyModel } from './test/history-model.ts'
import { recount } from './verification/recount.ts'

/** HISTORIES=10000 plays more histories; HISTORY_SEED=… repeats the same ones. */
const histories = Number(process.env.HISTORIES ?? 150)
const seed = process.env.HISTORY_SEED

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const drivers = 5
const driver = fc.nat(drivers - 1)
const nth = fc.nat(20)

/** Times around the ends of slots and buckets, and beyond the last one. They are few, so that laps tie. */
const timeMs = fc.constantFrom(
  1,
  60_000,
  60_001,
  60_031,
  65_535,
  65_536,
  98_304,
  2_097_150,
  2_097_151,
  2_400_000,
)

/** What can happen to a board. A standing that is not `sent` arrives late, or is replaced by a later one. */
const happening = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('drive' as const),
      driver,
      timeMs,
      tie: fc.nat(2),
      isClean: fc.boolean(),
      sent: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('delete lap' as const), driver, lap: nth, sent: fc.boolean() }),
  },
  // Old standings, new ones and repeated ones, all at the same time.
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      standings: fc.array(fc.record({ driver, version: nth }), { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('hide lap' as const, 'restore lap' as const),
      driver,
      lap: nth,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('hide driver' as const, 'restore driver' as const),
      driver,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const), driver, name: nth }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('delete account' as const), driver, twice: fc.boolean() }),
  },
  // Fills the cache, which must not be visible after the next change.
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('look' as const), driver }) },
)

type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never

test(`has one rank for an entry on pages, in windows, after jumps and by counting, in ${histories} histories`, async () => {
  const play = fc.asyncProperty(fc.array(happening, { minLength: 3, maxLength: 30, size: 'max' }), playOne)
  if (seed !== undefined) return fc.assert(play, { numRuns: histories, seed: Number(seed) })
  // In parallel, so that events on one board happen while others change.
  await Promise.all(
    Array.from({ length: lanes }, () => fc.assert(play, { numRuns: Math.ceil(histories / lanes) })),
  )
})

const lanes = 4

async function playOne(happenings: readonly Happening[]): Promise<void> {
  const model = historyModel(`h${randomBytes(8).toString('hex')}`, drivers)
  const state = { contextId: null as number | null }
  for (const one of happenings) await happen(model, state, one)
  // At the end the last standing of every driver has arrived, in any order.
  for (const i of model.users.keys()) await deliver(model, state, [model.latest(i)])
  for (const board of BOARD_NAMES) await checkAll(model, state.contextId, board)
}

async function happen(model: HistoryModel, state: State, one: Happening): Promise<void> {
  const userId = 'driver' in one ? model.users[one.driver]! : ''
  switch (one.kind) {
    case 'drive':
      model.drive(one.driver, one)
      if (one.sent) await deliver(model, state, [model.latest(one.driver)])
      return
    case 'delete lap':
      model.deleteLap(one.driver, one.lap)
      if (one.sent) await deliver(model, state, [model.latest(one.driver)])
      return
    case 'deliver':
      return deliver(
        model,
        state,
        one.standings.map(({ driver, version }) => model.standing(driver, version)),
      )
    case 'hide lap':
    case 'restore lap': {
      const lapId = model.lapId(one.driver, one.lap)
      if (lapId === null) return
      const isHiding = one.kind === 'hide lap'
      await service.deps.windows.drop(await (isHiding ? hideLap : restoreLap)(service.db, lapId))
      model.hiddenLaps[isHiding ? 'add' : 'delete'](lapId)
      return
    }
    case 'hide driver':
    case 'restore driver': {
      const isHiding = one.kind === 'hide driver'
      await service.deps.windows.drop(await (isHiding ? hideDriver : restoreDriver)(service.db, userId))
      model.hiddenUsers[isHiding ? 'add' : 'delete'](userId)
      return
    }
    case 'rename': {
      const username = `name-${one.name}`
      await service.publish({
        case: 'usernameChanged',
        value: { $typeName: 'lapwing.events.v1.UsernameChanged', userId, username },
      })
      model.names.set(userId, username)
      return
    }
    case 'delete account':
      await service.publish(
        { case: 'accountDeleted', value: { $typeName: 'lapwing.events.v1.AccountDeleted', userId } },
        { twice: one.twice },
      )
      model.deletedUsers.add(userId)
      return
    case 'look':
      for (const board of BOARD_NAMES) {
        checkRows(await wholeBoard(model, board), model.expected(board))
        await checkWindow(model, state.contextId, board, userId)
      }
  }
}

interface State {
  contextId: number | null
}

/** Sends standings at the same time, as several workers of ingest do. */
async function deliver(
  model: HistoryModel,
  state: State,
  standings: readonly (WireStanding | null)[],
): Promise<void> {
  const sent = standings.filter(standing => standing !== null)
  const answers = await Promise.all(sent.map(standing => service.put(standing)))
  for (const standing of sent) model.arrived(standing)
  for (const { context_id } of answers) {
    assert.equal(context_id, state.contextId ?? context_id)
    state.contextId = context_id
  }
}

function addressOf({ combination }: HistoryModel, board: BoardName): string {
  const { sim, track_slug, layout, car_slug } = combination
  return `/api/leaderboards?sim=${sim}&track_slug=${track_slug}&layout=${layout}&car_slug=${car_slug}&board=${board}`
}

async function pageOf(
  model: HistoryModel,
  board: BoardName,
  more: string,
  as = 'user-reader',
): Promise<Page | null> {
  const { status, body } = await service.get<Page>('getPage', `${addressOf(model, board)}${more}`, as)
  if (status === 404) {
    assert.ok(BOARD_NAMES.every(name => model.expected(name).length === 0))
    return null
  }
  return body
}

async function wholeBoard(model: HistoryModel, board: BoardName): Promise<readonly Row[]> {
  return (await pageOf(model, board, '&limit=100'))?.rows ?? []
}

function checkRows(
  rows: readonly Row[],
  expected: readonly ExpectedRow[],
  referenceMs?: number | null,
): void {
  const firstMs = expected[0]?.timeMs ?? null
  assert.deepEqual(
    rows.map(({ delta_ms: _, ...row }) => row),
    expected.map(row => ({
      rank: row.rank,
      user_id: row.userId,
      lap_id: row.lapId,
      display_name: row.displayName,
      best_lap_time_ms: row.timeMs,
      recorded_at: fromMicroseconds(row.recordedUs),
      is_clean: row.isClean,
      reference_available: true,
      driven_at: null,
      session_kind: null,
      air_temp_c: null,
      skies: null,
    })),
  )
  if (referenceMs !== undefined || expected[0]?.rank !== 1) return
  for (const row of rows) {
    assert.equal(row.delta_ms, row.rank === 1 ? null : row.best_lap_time_ms - firstMs!)
  }
}

/** Checks a driver's own row, and that the window around it is a part of the board. */
async function checkWindow(
  model: HistoryModel,
  contextId: number | null,
  board: BoardName,
  userId: string,
): Promise<void> {
  if (contextId === null) return
  const expected = model.expected(board)
  const { body } = await service.get(
    'getMe',
    `/api/leaderboards/${contextId}/me?window=3&board=${board}`,
    userId,
  )
  const mine = expected.find(row => row.userId === userId)
  assert.equal(body.me?.rank, mine?.rank)
  assert.equal(body.total, expected.length)
  const window: readonly Row[] = body.window
  if (mine === undefined) return assert.equal(window.length, 0)
  assert.equal(window.length, Math.min(3, expected.length))
  const first = window[0]!.rank
  checkRows(window, expected.slice(first - 1, first - 1 + window.length), null)
  assert.ok(window.some(row => row.user_id === userId))
}

async function checkAll(model: HistoryModel, contextId: number | null, board: BoardName): Promise<void> {
  const expected = model.expected(board)
  checkRows(await wholeBoard(model, board), expected)
  for (const userId of model.users) await checkWindow(model, contextId, board, userId)
  // By cursor, and by a jump to each rank.
  const walked: Row[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page | null = await pageOf(
      model,
      board,
      `&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
    )
    walked.push(...(page?.rows ?? []))
    cursor = page?.next_cursor ?? null
  }
  checkRows(walked, expected)
  for (const row of expected) {
    const page = await pageOf(
      model,
      board,
      `&limit=1&offset=${row.rank - 1}&delta_reference=user`,
      row.userId,
    )
    checkRows(page!.rows, [row], null)
    assert.deepEqual([page!.user_lap_ms, page!.rows[0]!.delta_ms], [row.timeMs, null])
  }
  if (contextId === null) return
  const id = boardId({ contextId, board })
  // By counting the entries themselves.
  const { rows } = await sql<{ user_id: string; rank: number }>`
    select user_id, (select 1 + count(*) from entry before where before.board_id = entry.board_id and before.is_counted
      and (before.time_ms, before.recorded_us, before.lap_id) < (entry.time_ms, entry.recorded_us, entry.lap_id))::int as rank
    from entry join driver on driver.id = driver_id where board_id = ${id} and is_counted order by rank`.execute(
    service.db,
  )
  assert.deepEqual(
    rows.map(row => [row.rank, row.user_id]),
    expected.map(row => [row.rank, row.userId]),
  )
  assert.deepEqual(await recount(service.db, id), { boardId: id, entries: 0, buckets: 0 })
}
