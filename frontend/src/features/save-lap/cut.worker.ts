import { openIbt } from '@lapwing/telemetry'
import { cutLap, type LapCut } from '@lapwing/telemetry/cut'
import { blobSource } from '#shared/files/blob-source.ts'
import { serveReader } from '#shared/files/serve-reader.ts'
import type { CutTask } from './cut-best-lap.ts'

serveReader<CutTask, LapCut | null>(async ({ file, laps, index, elapsedMs }) => {
  const opened = await openIbt(blobSource(file))
  const startedAt = opened.startDate && new Date(opened.startDate.getTime() + elapsedMs)
  return cutLap(opened, laps, laps[index]!, startedAt)
})
