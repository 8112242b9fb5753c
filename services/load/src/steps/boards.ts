import type { operations } from '@lapwing/contracts/leaderboard'
import { ask, bodyOf, Failed } from './ask.ts'
import { asDriver, type Driver } from './drivers.ts'
import type { Http } from './http.ts'
import type { Target } from './target.ts'

/** A board of one run of the load test, as the API names it. */
export interface Board {
  readonly trackSlug: string
  readonly layout: string
  readonly carSlug: string
  /** Of the driver who drove there first. */
  readonly contextId: number
}

type Page = Answered<'getPage'>
type Row = Page['rows'][number]
type Answered<Name extends keyof operations> = operations[Name]['responses'] extends {
  200: { content: { 'application/json': infer Body } }
}
  ? Body
  : never

/** Returns calls of one driver to the leaderboard. */
export function boardsOf(http: Http, target: Target, driver: Driver) {
  const get = async <Body>(name: string, path: string): Promise<Body> => {
    const call = {
      name,
      method: 'GET',
      url: `${target.url}/api/leaderboards${path}`,
      ...asDriver(driver),
    } as const
    return bodyOf<Body>(await ask(http, call, 200))
  }
  return {
    tracks: async () => (await get<Answered<'listTracks'>>('tracks', '/tracks')).tracks,
    cars: async (track: string, layout: string) =>
      (await get<Answered<'listCars'>>('cars', `/tracks/${track}/cars?layout=${layout}`)).cars,
    page: (board: Omit<Board, 'contextId'>, rest: string) => {
      const { trackSlug, layout, carSlug } = board
      const slugs = `track_slug=${trackSlug}&layout=${layout}&car_slug=${carSlug}`
      return get<Page>('page', `?sim=iracing&${slugs}&${rest}`)
    },
    me: (contextId: number) => get<Answered<'getMe'>>('me', `/${contextId}/me`),
  }
}

/**
 * Looks at a board as a visitor does: the lists, the first page, the own entry, a page at any rank, and the lap
 * of a driver there. `share` is from 0 to 1 and chooses the rank.
 */
export async function visitBoard(
  http: Http,
  target: Target,
  driver: Driver,
  { board, share }: { readonly board: Board; readonly share: number },
): Promise<void> {
  const { tracks, cars, page, me } = boardsOf(http, target, driver)
  const { trackSlug, layout, carSlug, contextId } = board
  const listed = (await tracks()).some(track => track.slug === trackSlug && track.layout === layout)
  if (!listed) throw new Failed('tracks', `does not list ${trackSlug}`)
  if (!(await cars(trackSlug, layout)).some(car => car.slug === carSlug)) {
    throw new Failed('cars', `does not list ${carSlug}`)
  }
  const first = await page(board, 'limit=50&offset=0')
  if (first.rows[0]?.rank !== 1) throw new Failed('page', 'has no row with rank 1')
  const own = await me(contextId)
  if (own.total < first.rows.length) throw new Failed('me', `counts ${own.total} drivers`)
  const offset = Math.floor(share * first.total)
  const there = await page(board, `limit=20&offset=${offset}`)
  const row = there.rows[0]
  if (row?.rank !== offset + 1) throw new Failed('page', `does not begin with rank ${offset + 1}`)
  await readReference(http, target, driver, row.lap_id)
}

/** Fetches a lap to compare with, packed and compressed as the page does. */
export async function readReference(
  http: Http,
  target: Target,
  driver: Driver,
  lapId: string,
): Promise<void> {
  const { headers } = asDriver(driver)
  const answer = await ask(
    http,
    {
      name: 'reference',
      method: 'GET',
      url: `${target.url}/api/laps/${lapId}/reference`,
      headers: { ...headers, accept: 'application/x-protobuf', 'accept-encoding': 'gzip' },
    },
    200,
  )
  if (answer.header('content-type') !== 'application/x-protobuf' || answer.bytes === 0) {
    throw new Failed('reference', 'has no packed columns')
  }
}

/** Finds the boards of a track by its name, as a driver does: tracks, then their cars. */
export async function findBoards(
  http: Http,
  target: Target,
  driver: Driver,
  trackName: string,
): Promise<readonly Board[]> {
  const { tracks, cars, page } = boardsOf(http, target, driver)
  const boards: Board[] = []
  for (const { slug: trackSlug, layout, label } of await tracks()) {
    if (!label.startsWith(trackName)) continue
    for (const { slug: carSlug } of await cars(trackSlug, layout)) {
      const { context_id: contextId } = await page({ trackSlug, layout, carSlug }, 'limit=1')
      boards.push({ trackSlug, layout, carSlug, contextId })
    }
  }
  return boards
}

/** Reads all rows of a board, page by page. */
export async function readRows(
  http: Http,
  target: Target,
  driver: Driver,
  board: Board,
): Promise<readonly Row[]> {
  const { page } = boardsOf(http, target, driver)
  const rows: Row[] = []
  let cursor: string | null = null
  do {
    const rest: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const read: Page = await page(board, `limit=100${rest}`)
    rows.push(...read.rows)
    cursor = read.next_cursor
  } while (cursor !== null)
  return rows
}
