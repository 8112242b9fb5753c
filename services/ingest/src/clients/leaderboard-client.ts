import type { components, operations } from '@lapwing/contracts/internal'
import { createLimitedService, type ServiceAddress } from './limited-service.ts'

type Schemas = components['schemas']
type Answer<Id extends 'putStanding' | 'getBests'> =
  operations[Id]['responses'][200]['content']['application/json']

/** A combination with the track's own names, which are the first ones that it got (D-4). */
export type NamedCombination = Schemas['Combination']
/** A driver's entry of one board. */
export type StandingLap = Schemas['StandingLap']
/** All of a driver's best laps on one combination, not only the changed ones. */
export type Standing = Schemas['Standing']
export type StandingAnswer = Answer<'putStanding'>
/** The best lap of one board, without demo drivers and hidden laps. */
export type BoardBest = Schemas['BoardBest']
export type Bests = Answer<'getBests'>
/** A combination by the track's own names. */
export type BoardNames = Pick<NamedCombination, 'sim' | 'track_slug' | 'layout' | 'car_slug'>

export type LeaderboardClient = ReturnType<typeof createLeaderboardClient>

/** Creates a client whose calls throw `ServiceUnavailable`. */
export function createLeaderboardClient(address: ServiceAddress) {
  const leaderboard = createLimitedService('leaderboard', address)
  return {
    /** Stores a standing. Idempotent: an older version changes nothing. */
    putStanding: (standing: Standing) =>
      leaderboard.ask('putStanding', client => client.PUT('/internal/standings', { body: standing })),
    /** Returns the laps that a lap of this account is compared with (D-26). */
    findBests: ({ sim, track_slug, layout, car_slug }: BoardNames, userId: string) =>
      leaderboard.ask('getBests', client =>
        client.GET('/internal/bests', {
          params: { query: { sim, track_slug, layout, car_slug, user_id: userId } },
        }),
      ),
    /** Returns whether a moderator hides the lap or its driver. */
    async isHidden({ lapId, userId }: { readonly lapId: string; readonly userId: string }) {
      const { hidden } = await leaderboard.ask('getHidden', client =>
        client.GET('/internal/hidden', { params: { query: { lap_id: lapId, user_id: userId } } }),
      )
      return hidden
    },
  }
}
