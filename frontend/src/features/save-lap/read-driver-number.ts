import { type ByteSource, driverNumberOf, openIbt } from '@lapwing/telemetry'
import type { FileNumber } from './file-owner.ts'

/**
 * Reads the simulator's driver number from the head of a file, in this browser alone. Resolves to null if the
 * file names no driver, or cannot be read.
 */
export async function readDriverNumber(file: ByteSource): Promise<FileNumber | null> {
  try {
    const { session } = await openIbt(file)
    const number = driverNumberOf(session)
    return number === null ? null : { sim: 'iracing', driver_number: number }
  } catch {
    return null
  }
}
