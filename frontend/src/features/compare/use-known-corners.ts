import type { TrackName } from '@lapwing/telemetry/compare'
import { useEffect, useState } from 'react'
import type { FetchTrackCorners, KnownCorner } from './fetch-track-corners.ts'

/**
 * Loads the stored corners of a track when they are first needed. Returns null before they arrive and if there are
 * none. Use with a key that changes with the session.
 */
export function useKnownCorners(
  track: TrackName,
  isWanted: boolean,
  fetchTrackCorners: FetchTrackCorners,
): readonly KnownCorner[] | null {
  const [known, setKnown] = useState<readonly KnownCorner[] | null>(null)
  const { sim, track_slug, layout } = track
  const [wasWanted, setWasWanted] = useState(isWanted)
  if (isWanted && !wasWanted) setWasWanted(true)
  useEffect(() => {
    if (!wasWanted || track_slug === '' || layout === '') return
    let isShown = true
    fetchTrackCorners({ sim, track_slug, layout }).then(corners => {
      if (isShown) setKnown(corners)
    })
    return () => {
      isShown = false
    }
  }, [wasWanted, sim, track_slug, layout, fetchTrackCorners])
  return known
}
