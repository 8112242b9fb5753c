import type { Standing, StandingLap } from '../clients/leaderboard-client.ts'
import { type InternalServer, serveInternal } from './serve.ts'

export interface FakeLeaderboard extends InternalServer {
  /** The entries of a board in their order. */
  entries(trackSlug: string, board: 'complete' | 'clean'): readonly StandingLap[]
  /** Every received standing, in the order of arrival. */
  readonly received: Standing[]
  /** Called before each standing is stored; if it rejects, the connection is closed. */
  beforeStoring: (standing: Standing) => Promise<void>
  /** Called after a standing was stored, before the answer. */
  afterStoring: (standing: Standing) => Promise<void>
  /** Called before the bests are answered; if it rejects, the answer is 503. */
  beforeBests: () => Promise<void>
  mood: 'well' | 'failing'
  /** The one account with standings that are answered with 500. */
  refuses: string | null
  /** Laps that a moderator hides. */
  readonly hidden: Set<string>
}

/** Starts a fake of leaderboard's internal routes. It stores the last version of each standing. */
export async function startFakeLeaderboard(): Promise<FakeLeaderboard> {
  const contexts = new Map<string, Map<string, Standing>>()
  const server = await serveInternal('leaderboard', async ({ method, path, body }) => {
    if (fake.mood === 'failing') return { status: 503 }
    const asked = new URL(path, 'http://leaderboard')
    if (method === 'GET' && asked.pathname === '/internal/hidden') {
      return { status: 200, body: { hidden: fake.hidden.has(asked.searchParams.get('lap_id')!) } }
    }
    if (method === 'GET' && asked.pathname === '/internal/bests') {
      try {
        await fake.beforeBests()
      } catch {
        return { status: 503 }
      }
      const names = ['sim', 'track_slug', 'layout', 'car_slug'].map(name => asked.searchParams.get(name))
      const standings = contexts.get(names.join('/')) ?? new Map<string, Standing>()
      const best = (board: 'complete' | 'clean') => {
        const real = [...standings.values()].filter(
          ({ user_id, [board]: lap }) =>
            !user_id.startsWith('demo-') && lap !== null && !fake.hidden.has(lap.lap_id),
        )
        const others = real.filter(({ user_id }) => user_id !== asked.searchParams.get('user_id'))
        const times = others.map(standing => standing[board]!.time_ms)
        return { drivers: real.length, best_time_ms: times.length === 0 ? null : Math.min(...times) }
      }
      return { status: 200, body: { complete: best('complete'), clean: best('clean') } }
    }
    if (method !== 'PUT' || path !== '/internal/standings') return { status: 404 }
    const standing = body as Standing
    if (standing.user_id === fake.refuses) return { status: 500 }
    try {
      await fake.beforeStoring(standing)
    } catch {
      return 'hang up'
    }
    const { sim, track_slug, layout, car_slug } = standing.combination
    const name = [sim, track_slug, layout, car_slug].join('/')
    if (!contexts.has(name)) contexts.set(name, new Map())
    const standings = contexts.get(name)!
    const known = standings.get(standing.user_id)
    const applied = known === undefined || known.version < standing.version
    if (applied) standings.set(standing.user_id, standing)
    fake.received.push(standing)
    await fake.afterStoring(standing)
    const rank = (board: 'complete' | 'clean') => {
      const own = standings.get(standing.user_id)![board]
      const rank = ordered(standings, board).findIndex(lap => lap.lap_id === own?.lap_id) + 1
      return own === null ? null : { rank, previous_time_ms: null }
    }
    return {
      status: 200,
      body: {
        context_id: [...contexts.keys()].indexOf(name) + 1,
        applied,
        complete: rank('complete'),
        clean: rank('clean'),
      },
    }
  })

  function ordered(standings: ReadonlyMap<string, Standing>, board: 'complete' | 'clean'): StandingLap[] {
    return [...standings.values()]
      .flatMap(standing => standing[board] ?? [])
      .sort((a, b) => a.time_ms - b.time_ms || (a.recorded_at < b.recorded_at ? -1 : 1))
  }

  const fake: FakeLeaderboard = {
    ...server,
    received: [],
    mood: 'well',
    refuses: null,
    hidden: new Set(),
    beforeStoring: async () => {},
    beforeBests: async () => {},
    afterStoring: async () => {},
    entries(trackSlug, board) {
      const found = [...contexts].filter(([name]) => name.split('/')[1] === trackSlug)
      return found.flatMap(([, standings]) => ordered(standings, board))
    },
  }
  return fake
}
