import { createPrincipalSigner, IDENTITY_HEADER } from '@lapwing/auth'
import type pg from 'pg'
import type { World } from '../world/world.ts'
import {
  type BoardFact,
  type BoardSlugs,
  boardName,
  boardQuery,
  type Facts,
  type FingerprintFact,
  type IngestFact,
  type LapFact,
  type RowFact,
} from './facts.ts'

/**
 * Reads what ingest stores about these drivers, and every board they have a lap on, as each of them sees it.
 */
export async function readFacts(
  world: Pick<World, 'direct' | 'internalKey'>,
  owner: pg.Client,
  userIds: readonly string[],
): Promise<Facts> {
  const { rows: ingests } = await owner.query<IngestFact>(
    `select id as "ingestId", upload_session_id as "sessionId", user_id as "userId", state,
       outcome, failure_code as "failureCode"
     from ingest.ingest where user_id = any($1)`,
    [userIds],
  )
  const { rows: laps } = await owner.query<LapFact & BoardSlugs>(
    `select lap.id as "lapId", ingest_id as "ingestId", user_id as "userId", time_ms as "timeMs",
       is_completed as "isCompleted", is_clean as "isClean", counts, review,
       to_char(recorded_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "recordedAt",
       track_slug, layout, car_slug
     from ingest.lap join ingest.combination on combination.id = combination_id
     where user_id = any($1) and deleted_at is null`,
    [userIds],
  )
  const { rows: fingerprints } = await owner.query<FingerprintFact>(
    `select key, lap_id as "lapId", user_id as "userId", encode(descriptor, 'hex') as descriptor
     from ingest.lap_fingerprint_key join ingest.lap_fingerprint on lap_fingerprint.id = fingerprint_id
       join ingest.lap on lap.id = lap_id
     where user_id = any($1)`,
    [userIds],
  )
  const combinations = new Map(laps.map(lap => [boardName(lap), lap]))
  const readers = userIds.map(userId => createReader(world, userId))
  const boards: BoardFact[] = []
  for (const [board, slugs] of combinations) {
    for (const which of ['complete', 'clean'] as const) {
      boards.push(await readBoard(readers, board, slugs, which))
    }
  }
  return { ingests, laps: laps.map(lap => ({ ...lap, board: boardName(lap) })), boards, fingerprints }
}

interface Reader {
  readonly userId: string
  get(path: string): Promise<{ readonly status: number; readonly body: Page & Me }>
}

interface Page {
  readonly context_id: number
  readonly rows: readonly Row[]
  readonly total: number
  readonly next_offset: number | null
}

interface Me {
  readonly me: Row | null
}

interface Row {
  readonly rank: number
  readonly user_id: string
  readonly lap_id: string
  readonly best_lap_time_ms: number
}

function createReader(
  { direct, internalKey }: Pick<World, 'direct' | 'internalKey'>,
  userId: string,
): Reader {
  const sign = createPrincipalSigner(internalKey)
  return {
    userId,
    async get(path) {
      const answer = await fetch(direct.leaderboard + path, {
        headers: { [IDENTITY_HEADER]: await sign({ userId, sessionId: 'session-of-the-check', roles: [] }) },
        signal: AbortSignal.timeout(10_000),
      })
      return { status: answer.status, body: (await answer.json()) as Page & Me }
    },
  }
}

/** Rows of a page; few, so that a board needs several pages. */
const PAGE = 5

async function readBoard(
  readers: readonly Reader[],
  board: string,
  slugs: BoardSlugs,
  which: 'complete' | 'clean',
): Promise<BoardFact> {
  const query = `${boardQuery(slugs)}&board=${which}`
  const rows: RowFact[] = []
  let page: Page
  let offset: number | null = 0
  do {
    const { status, body } = await readers[0]!.get(
      `/api/leaderboards?${query}&limit=${PAGE}&offset=${offset}`,
    )
    if (status === 404) return { board, which, rows: [], total: 0, ranks: new Map() }
    if (status !== 200) throw new Error(`the board ${board} is answered with ${status}`)
    page = body
    rows.push(...page.rows.map(toFact))
    offset = page.next_offset
  } while (offset !== null)

  const ranks = new Map<string, RowFact | null>()
  for (const { userId, get } of readers) {
    const { body } = await get(`/api/leaderboards/${page.context_id}/me?board=${which}`)
    ranks.set(userId, body.me === null ? null : toFact(body.me))
  }
  return { board, which, rows, total: page.total, ranks }
}

function toFact(row: Row): RowFact {
  return { rank: row.rank, userId: row.user_id, lapId: row.lap_id, timeMs: row.best_lap_time_ms }
}
