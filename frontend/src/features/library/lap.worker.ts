import { IbtError, previewSession } from '@lapwing/telemetry'
import { type LapTrack, lapTrack } from '@lapwing/telemetry/compare'
import { blobSource } from '#shared/files/blob-source.ts'
import { serveReader } from '#shared/files/serve-reader.ts'
import type { LapTask } from './read-lap.ts'

serveReader<LapTask, LapTrack>(
  async ({ file, rowStart }) => {
    const preview = await previewSession(blobSource(file))
    const lap = preview.laps.find(({ row_start }) => row_start === rowStart)
    const track = lap && lapTrack(preview, lap)
    if (!track) throw new IbtError('ibt.bad_header', 'the lap is not in the file')
    return track
  },
  track =>
    Object.values(track).flatMap(values =>
      ArrayBuffer.isView(values) ? [values.buffer as ArrayBuffer] : [],
    ),
)
