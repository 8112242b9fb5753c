import { IbtError, openIbt, readColumns } from '@lapwing/telemetry'
import { LOG_CHANNELS, lapLogs } from '@lapwing/telemetry/stints'
import { blobSource } from '#shared/files/blob-source.ts'
import { ReadError } from '#shared/files/read-error.ts'
import { sampleFile } from '#shared/files/sample-file.ts'
import { serveReader } from '#shared/files/serve-reader.ts'
import { alignSession } from './align-session.ts'
import type { FileLog, SessionStudy, StudyTask } from './study-session.ts'

serveReader<StudyTask, SessionStudy>(async task => {
  const aligned = alignSession(task)
  try {
    return { aligned, log: await readLog(task), problem: null }
  } catch (error) {
    // The laps are known without the file.
    if (error instanceof IbtError || error instanceof ReadError) {
      return { aligned, log: null, problem: error.message }
    }
    throw error
  }
})

async function readLog({ file: chosen, laps }: StudyTask): Promise<FileLog | null> {
  if (chosen === null) return null
  const file = await openIbt(blobSource(chosen === 'sample' ? await sampleFile() : chosen))
  const columns = await readColumns(file, LOG_CHANNELS)
  return { laps: lapLogs(columns, laps), setup: file.session.setupDigest }
}
