import { createHash, randomBytes } from 'node:crypto'

/** A UUID of version 7 (RFC 9562): in the order of time, and random. */
export function newId(nowMs: number = Date.now()): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(nowMs, 0, 6)
  return toUuid(bytes, 7)
}

/**
 * The id of a lap: the same whenever its file is judged for that person, so that judging twice makes
 * no second lap. Another person has other ids, even for the same bytes.
 *
 * @param segment index of the lap in its file
 */
export function lapId(sha256: Uint8Array, userId: string, segment: number): string {
  const hash = createHash('sha256')
    .update(`lapwing lap ${segment} `)
    .update(sha256)
    .update(userId)
    .digest()
    .subarray(0, 16)
  return toUuid(hash, 8)
}

/** RFC 9562: four bits say the version, two the variant. */
function toUuid(bytes: Buffer, version: 7 | 8): string {
  bytes[6] = (bytes[6]! & 0x0f) | (version << 4)
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
