import type { components, paths } from '@lapwing/contracts/ingest'
import { bodyOf, createApiClient, type SignedInDeps } from '#shared/api/api-client.ts'
import { exactly, fieldsOf, flag, listOf, orNull, type Shape, text, whole } from '#shared/api/shapes.ts'
import { isCombination } from '#shared/boards/combination.ts'
import { conditionShapes } from '#shared/laps/lap-fact-shapes.ts'

export type MyLap = Readonly<components['schemas']['MyLap']>

interface MyLapsPage {
  readonly laps: readonly MyLap[]
  /** Null on the last page. */
  readonly nextCursor: string | null
}

/** The calls about a driver's own laps. Each rejects with an `ApiError` or a `ShapeError`. */
export interface MyLapsApi {
  /** The newest laps that can be opened again. */
  recent(count: number): Promise<readonly MyLap[]>
  /** Newest first. */
  list(cursor: string | null): Promise<MyLapsPage>
  /** Sets whether other drivers may compare with the lap. Resolves to the changed lap. */
  setReferenceAllowed(lapId: string, isAllowed: boolean): Promise<MyLap>
  remove(lapId: string): Promise<void>
}

const PAGE_SIZE = 50

export function createMyLapsApi({ baseUrl, authorised }: SignedInDeps): MyLapsApi {
  const client = createApiClient<paths>({ baseUrl, fetch: authorised })
  return {
    async recent(limit) {
      const page = client.GET('/laps', { params: { query: { limit, has_reference: true } } })
      return (await bodyOf(page, isPage, 'your laps')).laps
    },
    async list(cursor) {
      const query = { limit: PAGE_SIZE, ...(cursor !== null && { cursor }) }
      const page = client.GET('/laps', { params: { query } })
      const { laps, next_cursor } = await bodyOf(page, isPage, 'your laps')
      return { laps, nextCursor: next_cursor }
    },
    setReferenceAllowed(lapId, isAllowed) {
      const options = { params: { path: { lapId } }, body: { reference_allowed: isAllowed } }
      return bodyOf(client.PATCH('/laps/{lapId}', options), isMyLap, 'your lap')
    },
    async remove(lapId) {
      await client.DELETE('/laps/{lapId}', { params: { path: { lapId } } })
    },
  }
}

/** A list of reasons. Reasons that are newer than this page have no text yet, so the page skips them. */
const isReasons = listOf(text) as Shape<MyLap['reasons']>

export const isMyLap = fieldsOf<MyLap>({
  lap_id: text,
  ingest_id: text,
  lap: whole,
  recorded_at: text,
  driven_at: orNull(text),
  ...conditionShapes,
  time_ms: orNull(whole),
  time_fmt: orNull(text),
  time_source: exactly('official', 'interpolated', null),
  is_completed: flag,
  is_clean: flag,
  reasons: isReasons,
  combination: isCombination,
  on_board: listOf(exactly('complete', 'clean')),
  review: exactly('held', 'released', 'refused', null),
  reference_allowed: flag,
  has_reference: flag,
})

const isPage = fieldsOf<{ readonly ok: true; readonly laps: MyLap[]; readonly next_cursor: string | null }>({
  ok: exactly(true),
  laps: listOf(isMyLap),
  next_cursor: orNull(text),
})
