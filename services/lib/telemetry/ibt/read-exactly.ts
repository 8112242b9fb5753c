import type { ByteSource } from '../byte-source.ts'
import { IbtError } from './ibt-error.ts'

/**
 * Fills `target` from `offset` on, and reads again if the source returns fewer bytes than asked for. Throws
 * `ibt.truncated` if the source ends before `target` is full.
 */
export async function readExactly(source: ByteSource, offset: number, target: Uint8Array): Promise<void> {
  let filled = 0
  while (filled < target.byteLength) {
    const answer = source.read(offset + filled, target.subarray(filled))
    const bytes = typeof answer === 'number' ? answer : await answer
    if (!(bytes > 0)) throw new IbtError('ibt.truncated', `source ended at byte ${offset + filled}`)
    filled += bytes
  }
}
