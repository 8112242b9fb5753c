import { driverNumberOf, openIbt } from '@lapwing/telemetry'
import { blobSource } from '#features/upload/blob-source.ts'
import type { FileNumber } from './whose-file.ts'

/** Small pieces: the headers and the session text are all that is read. */
const SLICE_BYTES = 256 * 1024

/**
 * Reads the simulator's driver number from the head of a file, in this browser alone. Null if the file names no
 * driver, or cannot be read.
 */
export async function readDriverNumber(file: Blob): Promise<FileNumber | null> {
  try {
    const { session } = await openIbt(blobSource(file, SLICE_BYTES))
    const number = driverNumberOf(session)
    return number === null ? null : { sim: 'iracing', driver_number: number }
  } catch {
    return null
  }
}
