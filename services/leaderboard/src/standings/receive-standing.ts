import { answerUnavailable } from '@lapwing/db'
import type { FastifyInstance } from 'fastify'
import type { Entry } from '../boards/entry.ts'
import { toMicroseconds } from '../boards/moment.ts'
import { SLUG_PATTERN, toCombination, type WireCombination } from '../contexts/combination.ts'
import type { Deps } from '../deps.ts'
import { forServices } from '../for-services.ts'
import { type BoardRank, putStanding } from './put-standing.ts'

interface WireStanding {
  readonly user_id: string
  readonly combination: WireCombination & {
    readonly alias_slug: string | null
    readonly track_label: string
    readonly car_label: string
    readonly track_id: number | null
    readonly car_id: number | null
  }
  readonly version: number
  readonly complete: WireLap | null
  readonly clean: WireLap | null
}

interface WireLap {
  readonly lap_id: string
  readonly time_ms: number
  readonly recorded_at: string
  readonly is_clean: boolean
  /** Left out if other drivers can use the lap as a reference. */
  readonly reference_available?: boolean
}

/**
 * Serves `PUT /internal/standings`: stores a driver's best laps in a combination and replies with the new
 * ranks. Signed with the shared key; the gateway has no route to it.
 */
export function receiveStandings(
  app: FastifyInstance,
  { db, windows, internalKey }: Pick<Deps, 'db' | 'windows' | 'internalKey'>,
): void {
  const { put } = answerUnavailable(
    { put: (standing: WireStanding) => putStanding(db, fromWire(standing)) },
    'leaderboard.busy',
  )
  app.put<{ Body: WireStanding }>(
    '/internal/standings',
    { schema: { body: standingSchema }, onRequest: forServices(internalKey) },
    async request => {
      const { contextId, isApplied, ranks, touched } = await put(request.body)
      await windows.drop(touched)
      return {
        context_id: contextId,
        applied: isApplied,
        complete: toWire(ranks.complete),
        clean: toWire(ranks.clean),
      }
    },
  )
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

const slug = { type: 'string', pattern: SLUG_PATTERN }
const label = { type: 'string', minLength: 1, maxLength: 200 }
const number = { type: ['integer', 'null'], minimum: 0, maximum: 2 ** 31 - 1 }

const lap = {
  type: ['object', 'null'],
  required: ['lap_id', 'time_ms', 'recorded_at', 'is_clean'],
  additionalProperties: false,
  properties: {
    lap_id: { type: 'string', pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' },
    time_ms: { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 },
    // UTC, with up to six digits of a second's fraction.
    recorded_at: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?Z$' },
    is_clean: { type: 'boolean' },
    reference_available: { type: 'boolean' },
  },
}

const standingSchema = {
  type: 'object',
  required: ['user_id', 'combination', 'version', 'complete', 'clean'],
  additionalProperties: false,
  properties: {
    user_id: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' },
    combination: {
      type: 'object',
      required: [
        ...['sim', 'track_slug', 'layout', 'car_slug', 'alias_slug'],
        ...['track_label', 'car_label', 'track_id', 'car_id'],
      ],
      additionalProperties: false,
      properties: {
        sim: slug,
        track_slug: slug,
        layout: slug,
        car_slug: slug,
        alias_slug: { ...slug, type: ['string', 'null'] },
        track_label: label,
        car_label: label,
        track_id: number,
        car_id: number,
      },
    },
    version: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    complete: lap,
    clean: lap,
  },
}
