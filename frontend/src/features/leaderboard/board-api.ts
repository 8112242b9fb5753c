import type { paths as IngestPaths } from '@lapwing/contracts/ingest'
import type { components, paths } from '@lapwing/contracts/leaderboard'
import { bodyOf, createApiClient, type SignedInDeps } from '#shared/api/api-client.ts'
import { ApiError } from '#shared/api/problem.ts'
import { exactly, fieldsOf, flag, listOf, orNull, text, whole } from '#shared/api/shapes.ts'
import type { BoardRow } from '#shared/boards/board-row.ts'
import { type Combination, isCombination, isSameBoard } from '#shared/boards/combination.ts'
import { factShapes } from '#shared/laps/lap-fact-shapes.ts'
import { BoardError } from './board-error.ts'

type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

export type BoardPage = Readonly<components['schemas']['Page']>
export type Me = Answer<'/leaderboards/{contextId}/me'>
export type TrackOption = Answer<'/leaderboards/tracks'>['tracks'][number]
export type CarOption = Answer<'/leaderboards/tracks/{track}/cars'>['cars'][number]
/** The two boards of a combination: one of complete laps, and one of those that are also clean (D-7). */
export type BoardName = 'complete' | 'clean'
/** The lap that deltas compare with (D-9). */
export type DeltaReference = BoardPage['delta_reference']

/** What is wrong with an entry: the lap cannot be real, or the name is offensive. */
export type ReportReason = 'lap' | 'name'

interface PageQuery {
  readonly combination: Combination
  readonly board: BoardName
  readonly limit: number
  readonly offset: number
  readonly deltaReference: DeltaReference
}

interface MeQuery {
  readonly contextId: number
  readonly board: BoardName
  /** Rows around the driver. */
  readonly window: number
  readonly deltaReference: DeltaReference
}

/**
 * The calls to the leaderboard service, and the call to ingest for held laps. Checks answers against their
 * shapes.
 *
 * @throws BoardError for an answer that is not OK, ShapeError for one of another shape
 */
export interface BoardApi {
  /** Resolves to null if no driver has a lap of the combination yet. */
  contextId(combination: Combination): Promise<number | null>
  /** Resolves to null if no driver has a lap of the combination yet. */
  page(query: PageQuery): Promise<BoardPage | null>
  me(query: MeQuery): Promise<Me>
  /** Reports an entry of another driver to the moderators. Rejects with an `ApiError`. */
  report(entry: { readonly lapId: string; readonly reason: ReportReason }): Promise<void>
  tracks(): Promise<readonly TrackOption[]>
  cars(track: Pick<TrackOption, 'sim' | 'slug' | 'layout'>): Promise<readonly CarOption[]>
  /** Resolves to whether one of the driver's newest held laps is of that combination. */
  hasHeldLap(combination: Combination): Promise<boolean>
}

/** The error code for a known combination that no driver has driven. */
const NO_LAPS = 'leaderboard.no_laps'

export function createBoardApi({ baseUrl, authorised }: SignedInDeps): BoardApi {
  const client = createApiClient<paths>({ baseUrl, fetch: authorised })
  const ingest = createApiClient<IngestPaths>({ baseUrl, fetch: authorised })
  return {
    contextId: combination =>
      orNoLaps(async () => {
        const params = { query: slugsOf(combination) }
        const context = client.GET('/leaderboards/context-id', { params })
        return (await bodyOf(context, isContext, 'the combination')).context_id
      }),
    page: ({ combination, board, limit, offset, deltaReference }) =>
      orNoLaps(async () => {
        const query = { ...slugsOf(combination), board, limit, offset, delta_reference: deltaReference }
        return bodyOf(client.GET('/leaderboards', { params: { query } }), isPage, 'the page')
      }),
    async me({ contextId, board, window, deltaReference }) {
      const me = await orNoLaps(async () => {
        const query = { board, window, delta_reference: deltaReference }
        const params = { path: { contextId }, query }
        return bodyOf(client.GET('/leaderboards/{contextId}/me', { params }), isMe, 'the own place')
      })
      return me ?? { ok: true, context_id: contextId, me: null, window: [], total: 0 }
    },
    // With the sentence of a refusal, which the driver reads.
    async report({ lapId, reason }) {
      await client.POST('/leaderboards/reports', { body: { lap_id: lapId, reason } })
    },
    tracks: () =>
      asBoardError(
        async () => (await bodyOf(client.GET('/leaderboards/tracks'), isTracks, 'the tracks')).tracks,
      ),
    cars: ({ sim, slug, layout }) =>
      asBoardError(async () => {
        const params = { path: { track: slug }, query: { sim, layout } }
        const cars = client.GET('/leaderboards/tracks/{track}/cars', { params })
        return (await bodyOf(cars, isCars, 'the cars')).cars
      }),
    hasHeldLap: combination =>
      asBoardError(async () => {
        const held = ingest.GET('/laps', { params: { query: { review: 'held', limit: 100 } } })
        const { laps } = await bodyOf(held, isHeldLaps, 'held laps')
        return laps.some(lap => isSameBoard(lap.combination, combination))
      }),
  }
}

function slugsOf({ sim, track_slug, layout, car_slug }: Combination) {
  return { sim, track_slug, layout, car_slug }
}

/** Turns an `ApiError` into a `BoardError`, whose message is not the detail of the problem. */
async function asBoardError<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw error instanceof ApiError ? new BoardError(error) : error
  }
}

async function orNoLaps<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await asBoardError(call)
  } catch (error) {
    if (error instanceof BoardError && error.code === NO_LAPS) return null
    throw error
  }
}

const isRow = fieldsOf<BoardRow>({
  rank: whole,
  user_id: text,
  lap_id: text,
  display_name: text,
  best_lap_time_ms: whole,
  delta_ms: orNull(whole),
  recorded_at: text,
  is_clean: flag,
  reference_available: flag,
  // Absent from a service that is older than this page.
  ...factShapes,
})

const isContext = fieldsOf<Answer<'/leaderboards/context-id'>>({ ok: exactly(true), context_id: whole })

const isPage = fieldsOf<BoardPage>({
  ok: exactly(true),
  context_id: whole,
  p1_ms: orNull(whole),
  delta_reference: exactly('p1', 'user'),
  user_lap_ms: orNull(whole),
  rows: listOf(isRow),
  total: whole,
  limit: whole,
  offset: whole,
  next_offset: orNull(whole),
  next_cursor: orNull(text),
})

const isMe = fieldsOf<Me>({
  ok: exactly(true),
  context_id: whole,
  me: orNull(isRow),
  window: listOf(isRow),
  total: whole,
})

const isTracks = fieldsOf<Answer<'/leaderboards/tracks'>>({
  ok: exactly(true),
  tracks: listOf(fieldsOf<TrackOption>({ sim: text, slug: text, layout: text, label: text })),
})

const isCars = fieldsOf<Answer<'/leaderboards/tracks/{track}/cars'>>({
  ok: exactly(true),
  cars: listOf(fieldsOf<CarOption>({ slug: text, label: text })),
})

const isHeldLaps = fieldsOf<{ readonly laps: readonly { readonly combination: Combination }[] }>({
  laps: listOf(fieldsOf<{ readonly combination: Combination }>({ combination: isCombination })),
})
