import { createHash } from 'node:crypto'
import type { components } from '@lapwing/contracts/ingest'
import { AppError, matchesTag } from '@lapwing/http'
import { nameCorners } from '@lapwing/telemetry/corners'
import type { Deps, HandlerOf } from '../deps.ts'
import { findCornersByName, type NamedCorners } from './corner.repository.ts'

/** Answers with the corners of a track. Public: they show nothing about the drivers. */
export function getTrackCorners({ db }: Pick<Deps, 'db'>): HandlerOf<'getTrackCorners'> {
  return async (request, reply) => {
    const found = await findCornersByName(db, request.params)
    if (found === null) throw new AppError('ingest.corners_not_found')
    const answer = toAnswer(found)
    const etag = `"${createHash('sha256').update(JSON.stringify(answer)).digest('base64url')}"`
    reply.headers({ etag, 'cache-control': 'public, max-age=300' })
    if (matchesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return answer
  }
}

function toAnswer({ corners, lengthM, ...track }: NamedCorners): components['schemas']['TrackCorners'] {
  const metres = (share: number) => (lengthM === null ? null : Math.round(share * lengthM * 10) / 10)
  return {
    ok: true,
    ...track,
    length_m: lengthM,
    corners: nameCorners(corners, track).map((corner, i) => ({
      id: corners[i]!.id,
      number: corner.number,
      name: corner.knownAs,
      kind: corner.kind,
      direction: corner.direction,
      start_pct: corner.startPct,
      apex_pct: corner.apexPct,
      end_pct: corner.endPct,
      start_m: metres(corner.startPct),
      apex_m: metres(corner.apexPct),
      end_m: metres(corner.endPct),
    })),
  }
}
