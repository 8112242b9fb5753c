import type { components as IngestTypes } from '@lapwing/contracts/ingest'
import type { components as BoardTypes } from '@lapwing/contracts/leaderboard'
import type { FakeIdentity } from './fake-identity.ts'

type Row = BoardTypes['schemas']['Row']
type Combination = IngestTypes['schemas']['Combination']
export type FakeMyLap = IngestTypes['schemas']['MyLap']
export type FakeCorner = IngestTypes['schemas']['TrackCorner']
export type FakeDriverNumber = IngestTypes['schemas']['DriverNumber']

/** An entry of a board before it is ranked. */
export interface FakeEntry {
  readonly userId: string
  readonly name: string
  readonly timeMs: number
  readonly isClean?: boolean
  /** False if other drivers cannot use the lap as a reference. */
  readonly isShared?: boolean
}

/** The content of the next session that is judged. */
export interface FakeDrive {
  readonly combination: Combination
  /** Time of its best lap; null if it has no complete one. */
  readonly timeMs: number | null
  readonly isClean?: boolean
}

/**
 * In-memory fakes of upload, ingest and leaderboard for tests. They have the part of `openapi/upload.yaml`,
 * `openapi/ingest.yaml` and `openapi/leaderboard.yaml` that the page uses.
 */
export interface FakeBoards {
  /** Answers a call below `/api`. */
  handle(request: Request): Promise<Response>
  readonly calls: readonly FakeBoardCall[]
  /** Counts the calls of a path, such as `POST /v1/upload/init`. */
  count(what: string | RegExp): number
  addEntries(combination: Combination, entries: readonly FakeEntry[]): void
  readonly laps: FakeMyLap[]
  /** Stored corners of every track; an empty list means none. */
  readonly corners: FakeCorner[]
  /** Numbers of the one signed-in driver. Only the test binds a number here. */
  readonly driverNumbers: FakeDriverNumber[]
  /**
   * Sets the next answers of this path, in order, before the usual one. A pattern is matched with the query,
   * too.
   */
  answerNext(path: string | RegExp, ...answers: FakeAnswer[]): void
  settings: {
    /** The URL that files are posted to. */
    storeUrl: string
    drive: FakeDrive | null
    /** Judging ends without an entry on the board, as if a moderator hid it or a service were slow. */
    isBoardLate: boolean
  }
}

export type FakeAnswer =
  | (() => Response | Promise<Response>)
  /** The usual answer, but later. */
  | { readonly after: Promise<void> }
  | { readonly network: true }
  | { readonly problem: readonly [status: number, code: string, detail: string] }

export interface FakeBoardCall {
  readonly what: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly headers: Headers
}

interface Board {
  readonly id: number
  readonly combination: Combination
  readonly entries: Map<string, Omit<Row, 'rank' | 'delta_ms'>>
}

export function createFakeBoards(identity: Pick<FakeIdentity, 'userOf'>): FakeBoards {
  const boards: Board[] = []
  const laps: FakeMyLap[] = []
  const corners: FakeCorner[] = []
  const driverNumbers: FakeDriverNumber[] = []
  const calls: FakeBoardCall[] = []
  const prepared: { readonly path: string | RegExp; readonly answers: FakeAnswer[] }[] = []
  const judged = new Map<string, Response>()
  const settings: FakeBoards['settings'] = { storeUrl: '', drive: null, isBoardLate: false }
  let ids = 0
  const newId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`

  const slugs = (c: Pick<Combination, 'sim' | 'track_slug' | 'layout' | 'car_slug'>) =>
    [c.sim, c.track_slug, c.layout, c.car_slug].join('/')
  const findBoard = (query: Readonly<Record<string, string>>) =>
    boards.find(
      ({ combination, entries }) => entries.size > 0 && slugs(combination) === slugs(query as never),
    )
  const boardOf = (combination: Combination) => {
    const known = boards.find(other => slugs(other.combination) === slugs(combination))
    if (known) return known
    const board: Board = { id: boards.length + 1, combination, entries: new Map() }
    boards.push(board)
    return board
  }
  const put = (board: Board, { userId, name, timeMs, isClean = true, isShared = true }: FakeEntry) => {
    const before = board.entries.get(userId)
    if (before && before.best_lap_time_ms <= timeMs) return false
    board.entries.set(userId, {
      user_id: userId,
      lap_id: newId(),
      display_name: name,
      best_lap_time_ms: timeMs,
      recorded_at: new Date(Date.UTC(2026, 2, 1, 12, 0, ids)).toISOString(),
      is_clean: isClean,
      reference_available: isShared,
      driven_at: '2026-02-28T19:30:00.000Z',
      session_kind: 'race',
      air_temp_c: 21.5,
      skies: 1,
    })
    return true
  }

  function rowsOf(board: Board, user: string, query: Readonly<Record<string, string>>) {
    const entries = [...board.entries.values()]
      .filter(entry => query.board !== 'clean' || entry.is_clean)
      .sort((a, b) => a.best_lap_time_ms - b.best_lap_time_ms || a.recorded_at.localeCompare(b.recorded_at))
    const own = entries.find(entry => entry.user_id === user) ?? null
    const reference = query.delta_reference === 'user' ? own : (entries[0] ?? null)
    const rows = entries.map((entry, index): Row => {
      const isReference = entry.user_id === reference?.user_id
      const delta =
        reference === null || isReference ? null : entry.best_lap_time_ms - reference.best_lap_time_ms
      return { rank: index + 1, delta_ms: delta, ...entry }
    })
    return { rows, own, p1Ms: entries[0]?.best_lap_time_ms ?? null }
  }

  function page(query: Readonly<Record<string, string>>, user: string): Response {
    const board = findBoard(query)
    if (!board) return noLaps()
    const limit = Number(query.limit ?? 50)
    const offset = Number(query.offset ?? 0)
    const { rows, own, p1Ms } = rowsOf(board, user, query)
    const hasMore = offset + limit < rows.length
    return Response.json({
      ok: true,
      context_id: board.id,
      p1_ms: p1Ms,
      delta_reference: query.delta_reference ?? 'p1',
      user_lap_ms: own?.best_lap_time_ms ?? null,
      rows: rows.slice(offset, offset + limit),
      total: rows.length,
      limit,
      offset,
      next_offset: hasMore ? offset + limit : null,
      next_cursor: hasMore ? `after-${offset + limit}` : null,
    })
  }

  function me(id: number, query: Readonly<Record<string, string>>, user: string): Response {
    const board = boards.find(other => other.id === id)
    if (!board) return noLaps()
    const { rows } = rowsOf(board, user, query)
    const own = rows.findIndex(row => row.user_id === user)
    const size = Number(query.window ?? 10)
    const first = Math.max(0, Math.min(own - Math.floor(size / 2), rows.length - size))
    return Response.json({
      ok: true,
      context_id: id,
      me: rows[own] ?? null,
      window: own < 0 ? [] : rows.slice(first, first + size),
      total: rows.length,
    })
  }

  function tracks(): Response {
    const options = boards
      .filter(({ entries }) => entries.size > 0)
      .map(({ combination: { sim, track_slug, layout, track_label } }) => ({
        sim,
        slug: track_slug,
        layout,
        label: track_label,
      }))
    const once = new Map(options.map(option => [`${option.slug}/${option.layout}`, option]))
    return Response.json({
      ok: true,
      tracks: [...once.values()].sort((a, b) => a.label.localeCompare(b.label)),
    })
  }

  function cars(track: string, { layout }: Readonly<Record<string, string>>): Response {
    const cars = boards
      .filter(({ combination: c }) => c.track_slug === track && (!layout || c.layout === layout))
      .map(({ combination: { car_slug, car_label } }) => ({ slug: car_slug, label: car_label }))
    return Response.json({ ok: true, cars: cars.sort((a, b) => a.label.localeCompare(b.label)) })
  }

  function ingest(sessionId: string, user: string): Response {
    const before = judged.get(sessionId)
    if (before) {
      const { drive, isBoardLate } = settings
      if (drive?.timeMs && !isBoardLate) put(boardOf(drive.combination), entryOf(drive, drive.timeMs, user))
      return before.clone()
    }
    const ingest_id = newId()
    const answer = judge(ingest_id, user)
    judged.set(sessionId, answer.clone())
    return answer
  }

  function judge(ingest_id: string, user: string): Response {
    const { drive, isBoardLate } = settings
    if (drive === null || drive.timeMs === null) {
      return Response.json({ ok: true, ingest_id, skipped: 'no_complete_lap' })
    }
    const board = boardOf(drive.combination)
    const before = board.entries.get(user)?.best_lap_time_ms ?? null
    const entry = entryOf(drive, drive.timeMs, user)
    if (isBoardLate) board.entries.delete(user)
    else if (!put(board, entry)) {
      return Response.json({ ok: true, ingest_id, skipped: 'not_faster', context_id: board.id })
    }
    const own = rowsOf(board, user, {}).rows.find(row => row.user_id === user)
    return Response.json(
      {
        ok: true,
        ingest_id,
        lap_id: own?.lap_id ?? newId(),
        context_id: board.id,
        best_lap_time_ms: drive.timeMs,
        previous_best_ms: before,
        rank: own?.rank ?? 1,
        boards: ['complete'],
      },
      { status: 201 },
    )
  }

  function listLaps(query: Readonly<Record<string, string>>): Response {
    const { cursor, limit = '50', review, has_reference } = query
    const listed = laps.filter(
      lap =>
        (review === undefined || lap.review === review) && (has_reference === undefined || lap.has_reference),
    )
    const first = Number(cursor ?? 0)
    const end = first + Number(limit)
    const next_cursor = end < listed.length ? String(end) : null
    return Response.json({ ok: true, laps: listed.slice(first, end), next_cursor })
  }

  function trackCorners(path: string): Response {
    const [, , sim, track_slug, layout] = path.split('/')
    return Response.json({ ok: true, sim, track_slug, layout, length_m: null, corners })
  }

  function changeLap(method: string, lapId: string, body: unknown): Response {
    const index = laps.findIndex(lap => lap.lap_id === lapId)
    if (index < 0) return problem(404, 'ingest.lap_not_found', 'There is no such lap of yours.')
    if (method === 'DELETE') {
      laps.splice(index, 1)
      return new Response(null, { status: 204 })
    }
    laps[index] = { ...laps[index]!, ...(body as Pick<FakeMyLap, 'reference_allowed'>) }
    return Response.json(laps[index])
  }

  function undoNumber(sim: string, number: string): Response {
    const index = driverNumbers.findIndex(one => one.sim === sim && one.driver_number === number)
    if (index >= 0) driverNumbers.splice(index, 1)
    return new Response(null, { status: 204 })
  }

  function usual(what: string, call: FakeBoardCall, user: string): Response {
    const { query } = call
    const body = (call.body ?? {}) as Readonly<Record<string, string>>
    const [method, path] = what.split(' ') as [string, string]
    const [, area, second, third] = path.split('/')
    if (what === 'GET /leaderboards/context-id') {
      const board = findBoard(query)
      return board ? Response.json({ ok: true, context_id: board.id }) : noLaps()
    }
    if (what === 'GET /leaderboards') return page(query, user)
    if (what === 'GET /leaderboards/tracks') return tracks()
    if (area === 'leaderboards' && second === 'tracks') return cars(third!, query)
    if (what === 'POST /leaderboards/reports') return new Response(null, { status: 204 })
    if (area === 'leaderboards' && third === 'me') return me(Number(second), query, user)
    if (what === 'POST /v1/upload/init') {
      const sessionId = newId()
      const key = `uploads/${sessionId}`
      return Response.json({ sessionId, key, url: settings.storeUrl, fields: { key, policy: 'signed' } })
    }
    if (what === 'POST /v1/upload/complete') {
      return Response.json({ ok: true, sessionId: body.sessionId, key: body.key, size: 1 })
    }
    if (what === 'POST /laps/ingest-best-from-session') return ingest(body.sessionId!, user)
    if (what === 'GET /laps') return listLaps(query)
    if (area === 'tracks') return trackCorners(path)
    if (what === 'GET /laps/driver-numbers') {
      return Response.json({ ok: true, driver_numbers: driverNumbers })
    }
    if (method === 'DELETE' && second === 'driver-numbers') return undoNumber(third!, path.split('/')[4]!)
    if (area === 'laps' && (method === 'PATCH' || method === 'DELETE'))
      return changeLap(method, second!, call.body)
    return problem(404, 'gateway.not_found', 'There is nothing at this address.')
  }

  return {
    calls,
    laps,
    corners,
    driverNumbers,
    settings,
    count: what => calls.filter(call => matches(what, call.what)).length,
    addEntries(combination, entries) {
      for (const entry of entries) put(boardOf(combination), entry)
    },
    answerNext(path, ...answers) {
      prepared.push({ path, answers })
    },
    async handle(request) {
      const url = new URL(request.url)
      const what = `${request.method} ${decodeURI(url.pathname).replace(/^\/api/, '')}`
      const text = await request.text()
      const call: FakeBoardCall = {
        what,
        query: Object.fromEntries(url.searchParams),
        body: text === '' ? null : JSON.parse(text),
        headers: request.headers,
      }
      calls.push(call)
      const user = identity.userOf((request.headers.get('authorization') ?? '').replace(/^Bearer ?/, ''))
      const isPublic = what.startsWith('GET /tracks/')
      if (user === null && !isPublic) return problem(401, 'gateway.unauthorized', 'Please sign in first.')
      const next = prepared.find(({ path, answers }) => answers.length > 0 && matches(path, what, url.search))
      const answer = next?.answers.shift()
      if (typeof answer === 'function') return answer()
      if (answer && 'network' in answer) throw new TypeError('Failed to fetch')
      if (answer && 'problem' in answer) return problem(...answer.problem)
      await answer?.after
      return usual(what, call, user ?? '')
    },
  }
}

function entryOf({ isClean = true }: FakeDrive, timeMs: number, userId: string): FakeEntry {
  return { userId, name: 'apexhunter', timeMs, isClean }
}

function matches(path: string | RegExp, what: string, search = ''): boolean {
  return typeof path === 'string' ? path === what : path.test(`${what}${search}`)
}

function noLaps(): Response {
  return problem(404, 'leaderboard.no_laps', 'Nobody has a lap of this combination yet.')
}

function problem(status: number, code: string, detail: string): Response {
  return new Response(
    JSON.stringify({ type: 'about:blank', title: 'Refused', status, detail, code, request_id: 'r' }),
    { status, statusText: 'Refused', headers: { 'content-type': 'application/problem+json' } },
  )
}
