import type { Handlers } from '@lapwing/contracts/bind'
import type { components, operations } from '@lapwing/contracts/internal'
import type { Entry, LapFacts } from '../boards/entry.ts'
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
    facts: new Map(
      [complete, clean].flatMap(lap =>
        lap === null ? [] : [[lap.lap_id.toLowerCase(), toFacts(lap)] as const],
      ),
    ),
    unshared: [complete, clean].flatMap(lap =>
      lap?.reference_available === false ? lap.lap_id.toLowerCase() : [],
    ),
  }
}

/** An older ingest sends no facts. */
function toFacts({ driven_at, session_kind, air_temp_c, skies }: WireLap): LapFacts {
  return {
    drivenMs: driven_at == null ? null : Date.parse(driven_at),
    sessionKind: session_kind ?? null,
    airTempC: air_temp_c ?? null,
    skies: skies ?? null,
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
