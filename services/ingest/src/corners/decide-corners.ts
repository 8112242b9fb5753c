import {
  agreeOnCorners,
  type FoundCorner,
  isSameRoad,
  refineCorners,
  type TrackCorner,
  type TrackCorners,
} from '@lapwing/telemetry/corners'
import type { Sighting } from './sighting.ts'

/** The stored corners of a track; empty before a driver has shown any. */
export interface StoredCorners extends TrackCorners {
  readonly lengthM: number | null
  /** The lap of the only driver who has shown these corners; null once a second driver shows them. */
  readonly founderLapId: string | null
  /** No account that can vote has shown them. */
  readonly isProvisional: boolean
}

export interface Evidence {
  /** Of drivers who can vote: one for each network. */
  readonly valid: readonly Sighting[]
  /** Of all other drivers. */
  readonly others: readonly Sighting[]
  /** The track location is agreed. */
  readonly isLocated: boolean
  /** The lap behind `founderLapId` turned out to be driven elsewhere. */
  readonly isFounderElsewhere: boolean
}

/**
 * Decides the corners of a track. Only valid sightings settle them. Until there is one, the corners of other
 * drivers are provisional, so that a driver without a verified address also sees one set of names. The first
 * valid sighting replaces them, but a corner that it shows at the same place keeps its id. Returns `stored`
 * itself if nothing changes.
 */
export function decideCorners(stored: StoredCorners, { valid, others, ...facts }: Evidence): StoredCorners {
  if (!stored.isProvisional) return decideAmong(stored, valid, facts)
  const fresh = { ...stored, corners: [], founderLapId: null, isProvisional: false }
  const settled = findFirst(fresh, valid, agreed(valid))
  return settled.corners.length > 0 ? withIdsOf(stored, settled) : decideAmong(stored, others, facts)
}

function withIdsOf(provisional: StoredCorners, settled: StoredCorners): StoredCorners {
  const byNumber = new Map(provisional.corners.map(corner => [corner.number, corner]))
  const corners = settled.corners.map(corner => {
    const before = byNumber.get(corner.number)
    const isSame = before !== undefined && isSameRoad([before], [corner])
    return isSame ? { ...corner, id: before.id } : corner
  })
  return { ...settled, corners }
}

/**
 * Decides so that no single driver can change the corners. The first driver shows them. From then on two
 * drivers must agree, and the track location must be agreed. Corners of a single driver are found again if
 * that lap was driven elsewhere, or if three drivers show another road.
 */
function decideAmong(
  stored: StoredCorners,
  sightings: readonly Sighting[],
  { isLocated, isFounderElsewhere }: Pick<Evidence, 'isLocated' | 'isFounderElsewhere'>,
): StoredCorners {
  const found = agreed(sightings)
  const isShared = isSameRoad(stored.corners, found)
  const isRefuted = isLocated && found.length > 0 && !isShared && sightings.length >= FEWEST_REFUTING
  if (stored.founderLapId !== null && (isFounderElsewhere || isRefuted)) {
    return findFirst({ ...stored, corners: [], founderLapId: null }, sightings, found)
  }
  if (stored.corners.length === 0) return findFirst(stored, sightings, found)
  if (sightings.length < 2 || !isShared) return stored
  const refined = isLocated ? refineCorners(stored, found, stored.lengthM) : stored
  if (stored.founderLapId === null && isUnchanged(stored.corners, refined.corners)) return stored
  return { ...stored, ...refined, founderLapId: null }
}

/** Drivers needed to refute a single driver: among three, that driver is not the majority. */
const FEWEST_REFUTING = 3

const agreed = (sightings: readonly Sighting[]) => agreeOnCorners(sightings.map(({ corners }) => corners))

function findFirst(
  known: StoredCorners,
  sightings: readonly Sighting[],
  found: readonly FoundCorner[],
): StoredCorners {
  const [first] = sightings
  if (first === undefined || found.length === 0) return known
  const { lengthM } = first
  const founderLapId = sightings.length === 1 ? first.lapId : null
  return { ...known, ...refineCorners(known, found, lengthM), lengthM, founderLapId }
}

function isUnchanged(before: readonly TrackCorner[], after: readonly TrackCorner[]): boolean {
  return (
    before.length === after.length &&
    before.every((corner, i) => {
      const { id, startPct, apexPct, endPct } = after[i]!
      return (
        corner.id === id &&
        corner.startPct === startPct &&
        corner.apexPct === apexPct &&
        corner.endPct === endPct
      )
    })
  )
}
