import type { CursorStore } from './cursor-store.ts'
import type { DistanceViewStore } from './distance-view-store.ts'
import { clockOf } from './lap-clock.ts'
import { lapDistance, nearestAtDistance } from './lap-distance.ts'
import { type LapSeries, rowInLap } from './lap-series.ts'
import { secondsAt } from './lap-time.ts'

/** Plays or pauses. If a part of the lap is shown and the cursor is not in it, playback begins with that part. */
export function togglePlayback(main: LapSeries, cursor: CursorStore, view: DistanceViewStore) {
  const clock = clockOf(cursor)
  const range = view.get()
  if (range && !clock.get().isPlaying) {
    const { metres } = lapDistance(main.preview, main.lap)
    const row = rowInLap(cursor.get().row, main.lap)
    const metre = row === null ? Number.NaN : metres[row - main.lap.row_start]!
    const first = nearestAtDistance(metres, range.minM)
    const isInside = metre >= range.minM && metre <= range.maxM
    if (!isInside && first >= 0) clock.seek(main, secondsAt(main, main.lap.row_start + first))
  }
  clock.toggle(main)
}
