import type { Handlers } from '@lapwing/contracts/bind'
import type { components, operations } from '@lapwing/contracts/internal'
import type { Entry } from '../boards/entry.ts'
import { toMicroseconds } from '../boards/moment.ts'
import { toCombination } from '../contexts/combination.ts'
import type { Deps } from '../deps.ts'
import { type BoardRank, putStanding } from './put-standing.ts'

type WireStanding = components['schemas']['Standing']
type WireLap = components['schemas']['StandingLap']

/** Stores a driver's standing and answers with the ranks as they are then. */
export function receiveStanding({
  db,
  windows,
}: Pick<Deps, 'db' | 'windows'>): Handlers<operations>['putStanding'] {
  return async request => {
    const { contextId, isApplied, ranks, touched } = await putStanding(db, fromWire(request.body))
    await windows.drop(touched)
    return {
      context_id: contextId,
      applied: isApplied,
      complete: toWire(ranks.complete),
      clean: toWire(ranks.clean),
    }
  }
}

function fromWire({ user_id, combination, version, complete, clean }: WireStanding) {
  const { alias_slug, track_label, car_label, track_id, car_id } = combination
  return {
    userId: user_id,
    combination: {
      ...toCombination(combination),
      aliasSlug: alias_slug,
      trackLabel: track_label,
      carLabel: car_label,
      trackId: track_id,
      carId: car_id,
    },
    version,
    complete: complete && toEntry(complete),
    clean: clean && toEntry(clean),
    unshared: [complete, clean].flatMap(lap =>
      lap?.reference_available === false ? lap.lap_id.toLowerCase() : [],
    ),
  }
}

function toEntry({ lap_id, time_ms, recorded_at, is_clean }: WireLap): Entry {
  return {
    lapId: lap_id.toLowerCase(),
    timeMs: time_ms,
    recordedUs: toMicroseconds(recorded_at),
    isClean: is_clean,
  }
}

function toWire(found: BoardRank | null) {
  return found && { rank: found.rank, previous_time_ms: found.previousTimeMs }
}
