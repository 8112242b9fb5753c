import { createInternalService, ServiceUnavailable } from './internal-service.ts'

/** What a board is of (D-4), by the track's own names: those with which it first came. */
export interface NamedCombination {
  readonly sim: string
  readonly track_slug: string
  readonly layout: string
  /** Another name that leads to the same boards; null where the file has the own one. */
  readonly alias_slug: string | null
  readonly car_slug: string
  readonly track_label: string
  readonly car_label: string
  readonly track_id: number
  readonly car_id: number | null
}

/** A driver's entry of one board. */
export interface StandingLap {
  readonly lap_id: string
  readonly time_ms: number
  /** RFC 3339 with microseconds. */
  readonly recorded_at: string
  readonly is_clean: boolean
  /** False if other drivers cannot use the lap as a reference; left out otherwise. */
  readonly reference_available?: false
}

/** What a driver's standing is, not what has changed of it. */
export interface Standing {
  readonly user_id: string
  readonly combination: NamedCombination
  readonly version: number
  readonly complete: StandingLap | null
  readonly clean: StandingLap | null
}

/** A driver's place on one board; null where the driver has none or a moderator hides it. */
export type BoardRank = { readonly rank: number | null } | null

export interface StandingAnswer {
  readonly context_id: number
  readonly complete: BoardRank
  readonly clean: BoardRank
}

/** Of one board, without demo drivers and without what a moderator hides. */
export interface BoardBest {
  /** Real drivers on the board, at most 100. */
  readonly drivers: number
  /** The best of the others; null without one. */
  readonly best_time_ms: number | null
}

export interface Bests {
  readonly complete: BoardBest
  readonly clean: BoardBest
}

/** A combination by the track's own names. */
export type BoardNames = Pick<NamedCombination, 'sim' | 'track_slug' | 'layout' | 'car_slug'>

export interface LeaderboardClient {
  /** Reads what a lap of that person is compared with (D-26). Throws `ServiceUnavailable`. */
  findBests(board: BoardNames, userId: string): Promise<Bests>
  /** Harmless when repeated; an older version changes nothing. Throws `ServiceUnavailable`. */
  putStanding(standing: Standing): Promise<StandingAnswer>
  /** Whether a moderator hides the lap, or its driver. Throws `ServiceUnavailable`. */
  isHidden(lap: { readonly lapId: string; readonly userId: string }): Promise<boolean>
}

export function createLeaderboardClient(options: {
  readonly url: URL
  readonly key: Uint8Array
}): LeaderboardClient {
  const leaderboard = createInternalService({ name: 'leaderboard', timeoutMs: 5_000, ...options })
  return {
    async putStanding(standing) {
      const { body } = await leaderboard.ask('PUT', '/internal/standings', {
        expected: [200],
        body: standing,
      })
      const answer = body as StandingAnswer | null
      if (
        !Number.isInteger(answer?.context_id) ||
        !isBoardRank(answer?.complete) ||
        !isBoardRank(answer?.clean)
      ) {
        throw new ServiceUnavailable('leaderboard', new Error('the answer is no standing'), { isAway: false })
      }
      return answer as StandingAnswer
    },
    async findBests({ sim, track_slug, layout, car_slug }, userId) {
      const query = new URLSearchParams({ sim, track_slug, layout, car_slug, user_id: userId })
      const { body } = await leaderboard.ask('GET', `/internal/bests?${query}`, { expected: [200] })
      const { complete, clean } = (body ?? {}) as { readonly complete?: unknown; readonly clean?: unknown }
      if (!isBest(complete) || !isBest(clean)) {
        throw new ServiceUnavailable('leaderboard', new Error('the answer has no bests'), { isAway: false })
      }
      return { complete, clean }
    },
    async isHidden({ lapId, userId }) {
      const query = new URLSearchParams({ lap_id: lapId, user_id: userId })
      const { body } = await leaderboard.ask('GET', `/internal/hidden?${query}`, { expected: [200] })
      const { hidden } = (body ?? {}) as { readonly hidden?: unknown }
      if (typeof hidden !== 'boolean') {
        throw new ServiceUnavailable('leaderboard', new Error('the answer does not say what is hidden'), {
          isAway: false,
        })
      }
      return hidden
    },
  }
}

function isBoardRank(value: unknown): value is BoardRank {
  if (value === null) return true
  const { rank } = (value ?? {}) as { readonly rank?: unknown }
  return rank === null || (Number.isInteger(rank) && (rank as number) >= 1)
}

function isBest(value: unknown): value is BoardBest {
  const { drivers, best_time_ms: best } = (value ?? {}) as {
    readonly drivers?: unknown
    readonly best_time_ms?: unknown
  }
  if (!Number.isInteger(drivers)) return false
  return best === null || (Number.isInteger(best) && (best as number) >= 1)
}
