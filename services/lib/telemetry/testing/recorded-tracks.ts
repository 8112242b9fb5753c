import { readdirSync, readFileSync } from 'node:fs'
import { sharedIbt } from '../../testing/shared-ibt.ts'
import { bytesSource } from '../byte-source.ts'
import { type LapTrack, lapTrack } from '../compare/lap-track.ts'
import { previewSession } from '../preview/preview-session.ts'

/** A complete lap of a recorded file. */
export interface RecordedTrack {
  readonly file: string
  /** File and lap, to be said by a test. */
  readonly name: string
  /** Track, layout and car. */
  readonly board: string
  readonly track: LapTrack
}

/** Every complete lap of the recorded files. */
export async function recordedTracks(): Promise<RecordedTrack[]> {
  const files = ['laps', 'real'].flatMap(folder =>
    readdirSync(sharedIbt(folder)).map(name => `${folder}/${name}`),
  )
  const tracks = await Promise.all(
    files.map(async file => {
      const preview = await previewSession(bytesSource(readFileSync(sharedIbt(file))))
      const { track_slug, layout, car_slug } = preview.meta
      return preview.laps.flatMap(lap => {
        const track = lapTrack(preview, lap)
        if (track === null) return []
        const name = `${file}, lap ${lap.lap}`
        return [{ file, name, board: `${track_slug}/${layout}/${car_slug}`, track }]
      })
    }),
  )
  return tracks.flat()
}
