import type { Handlers } from '@lapwing/contracts/bind'
import type { components, operations } from '@lapwing/contracts/internal'
import type { Entry } from '../boards/entry.ts'
import { toMicroseconds } from '../boards/moment.ts'
import type { Deps } from '../deps.ts'
import { putStanding, type Standing } from './put-standing.ts'

type WireStanding = components['schemas']['Standing']
type WireLap = components['schemas']['StandingLap']

/** Stores a driver's standing and answers with the ranks as they are then. */
export function receiveStanding({ db, windows }: Deps): Handlers<operations>['putStanding'] {
  return async request => {
    const { contextId, isApplied, ranks, touched } = await putStanding(db, fromWire(request.body))
    await windows.drop(touched)
    return { context_id: contextId, applied: isApplied, ...ranks }
  }
}

function fromWire({ user_id, combination, version, complete, clean }: WireStanding): Standing {
  return {
    userId: user_id,
    combination,
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
