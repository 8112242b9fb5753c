import { bytesSource } from '../byte-source.ts'
import { type LapTrack, lapTrack } from '../compare/lap-track.ts'
import { previewSession } from '../preview/preview-session.ts'

/** A complete lap of a recorded file. */
export interface RecordedTrack {
  readonly file: string
  /** File and lap, for messages of tests. */
  readonly name: string
  /** Track, layout and car. */
  readonly board: string
  readonly track: LapTrack
}

/** Returns every complete lap of these files. */
export async function recordedTracks(
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Promise<RecordedTrack[]> {
  const tracks = await Promise.all(
    files.map(async ({ name: file, bytes }) => {
      const preview = await previewSession(bytesSource(bytes))
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
