import type { components, paths } from '@lapwing/contracts/ingest'
import type { Corner, TrackName } from '@lapwing/telemetry/compare'
import { bodyOf, createApiClient } from '#shared/api/api-client.ts'
import { exactly, fieldsOf, finite, listOf, orNull, text, whole } from '#shared/api/shapes.ts'

/** A stored corner of a track, without the name that the page gives it. */
export type KnownCorner = Omit<Corner, 'name'>

/** Loads the corners of a track. Resolves with null if none are stored or the call fails. */
export type FetchTrackCorners = (track: TrackName) => Promise<readonly KnownCorner[] | null>

interface FetchTrackCornersDeps {
  /** Where the product API lives (D-2). */
  readonly baseUrl: string
  /** Sends no credentials, since the answer is the same for all. It must have a time limit. */
  readonly fetch: typeof globalThis.fetch
}

export function createFetchTrackCorners({ baseUrl, fetch }: FetchTrackCornersDeps): FetchTrackCorners {
  const client = createApiClient<paths>({ baseUrl, fetch })
  return async ({ sim, track_slug, layout }) => {
    try {
      const params = { path: { sim, track_slug, layout } }
      const stored = client.GET('/tracks/{sim}/{track_slug}/{layout}/corners', { params })
      const { corners } = await bodyOf(stored, isTrackCorners, 'the corners')
      return isInOrder(corners) ? corners.map(toKnown) : null
    } catch {
      return null
    }
  }
}

type TrackCorners = components['schemas']['TrackCorners']
type TrackCorner = components['schemas']['TrackCorner']

function toKnown({ number, name, kind, direction, start_pct, apex_pct, end_pct }: TrackCorner): KnownCorner {
  return { number, knownAs: name, kind, direction, startPct: start_pct, apexPct: apex_pct, endPct: end_pct }
}

/** Losses add up only if no two stretches overlap. */
function isInOrder(corners: readonly TrackCorner[]): boolean {
  const bounds = corners.flatMap(({ start_pct, apex_pct, end_pct }) => [start_pct, apex_pct, end_pct])
  return corners.length > 0 && [0, ...bounds, 1].every((at, i, all) => i === 0 || all[i - 1]! <= at)
}

const isTrackCorner = fieldsOf<TrackCorner>({
  id: whole,
  number: text,
  name: orNull(text),
  kind: exactly('turn', 'oval_end'),
  direction: exactly('left', 'right'),
  start_pct: finite,
  apex_pct: finite,
  end_pct: finite,
  start_m: orNull(finite),
  apex_m: orNull(finite),
  end_m: orNull(finite),
})

const isTrackCorners = fieldsOf<TrackCorners>({
  ok: exactly(true),
  sim: text,
  track_slug: text,
  layout: text,
  length_m: orNull(finite),
  corners: listOf(isTrackCorner),
})
