import { driverNumberOf, openIbt } from '@lapwing/telemetry'
import { blobSource } from '#shared/files/blob-source.ts'
import type { FileNumber } from './file-owner.ts'

/**
 * Reads the simulator's driver number from the head of a file, in this browser alone. Resolves to null if the
 * file names no driver, or cannot be read.
 */
export async function readDriverNumber(file: Blob): Promise<FileNumber | null> {
  try {
    const { session } = await openIbt(blobSource(file, HEAD_BYTES))
    const number = driverNumberOf(session)
    return number === null ? null : { sim: 'iracing', driver_number: number }
  } catch {
    return null
  }
}

/** Bytes a read. Small, because only the headers and the session text of a file are read here. */
const HEAD_BYTES = 256 * 1024
