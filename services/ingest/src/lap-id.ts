import { createHash } from 'node:crypto'

/**
 * Returns the id of a lap. It is the same each time the file is judged for that account, so judging twice
 * adds no second lap. Another account gets other ids, even for the same bytes.
 *
 * @param segment index of the lap in its file
 */
export function lapId(sha256: Uint8Array, userId: string, segment: number): string {
  const bytes = createHash('sha256')
    .update(`lapwing lap ${segment} `)
    .update(sha256)
    .update(userId)
    .digest()
    .subarray(0, 16)
  // A UUID of version 8 (RFC 9562): four bits say the version, two the variant.
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
