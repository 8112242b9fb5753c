import { gunzipSync, gzipSync } from 'node:zlib'
import { decodeReference, referenceToJson } from '@lapwing/telemetry/compare'
import { moveBuffers, ownBuffer } from '@lapwing/threads'

export interface ReferenceTask {
  /** `lapwing.telemetry.v1.Reference`, gzipped. */
  readonly packed: Uint8Array<ArrayBuffer>
  readonly encoding: 'gzip' | 'identity'
}

/** Writes a lap as the JSON of the contract, in a thread of the pool. */
export function writeReferenceJson({ packed, encoding }: ReferenceTask): Uint8Array<ArrayBuffer> {
  const bytes = gunzipSync(packed, { maxOutputLength: MAX_PACKED_BYTES })
  const json = Buffer.from(JSON.stringify(referenceToJson(decodeReference(bytes))))
  const body = ownBuffer(encoding === 'gzip' ? gzipSync(json, gzipOptions) : json)
  return moveBuffers(body, [body.buffer])
}

/** Five times the largest lap: 20,001 points of eleven columns. */
const MAX_PACKED_BYTES = 8 * 1024 * 1024

/** Numbers hardly compress better at higher levels, which need three times as long. */
const gzipOptions = { level: 1 }
