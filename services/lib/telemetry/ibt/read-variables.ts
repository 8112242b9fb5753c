import type { Variable } from '../columns.ts'
import { decodeText } from '../session/decode-text.ts'
import { IbtError } from './ibt-error.ts'
import { VARIABLE_HEADER, VARIABLE_HEADER_BYTES, VARIABLE_TYPES } from './layout.ts'

/**
 * The variables of a block of variable headers, in its order; nameless ones are left out.
 * Throws `ibt.bad_header` where one has an unknown type, lies outside a row of `bufLen` bytes, or
 * where all of them together are larger than a row: columns can then never outgrow the file.
 */
export function readVariables(bytes: Uint8Array, bufLen: number): Variable[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const variables: Variable[] = []
  let rowBytes = 0
  for (let at = 0; at + VARIABLE_HEADER_BYTES <= bytes.byteLength; at += VARIABLE_HEADER_BYTES) {
    const kind = VARIABLE_TYPES[view.getInt32(at + VARIABLE_HEADER.type, true)]
    const offset = view.getInt32(at + VARIABLE_HEADER.offset, true)
    const count = view.getInt32(at + VARIABLE_HEADER.count, true)
    const place = `variable ${at / VARIABLE_HEADER_BYTES}`
    if (kind === undefined) throw new IbtError('ibt.bad_header', `${place} has an unknown type`)
    if (offset < 0 || count < 1)
      throw new IbtError('ibt.bad_header', `${place}: offset ${offset}, count ${count}`)
    const size = kind.bytes * count
    if (offset + size > bufLen) throw new IbtError('ibt.bad_header', `${place} ends outside a row`)
    rowBytes += size
    if (rowBytes > bufLen) throw new IbtError('ibt.bad_header', `${place} overlaps others`)
    const text = (from: number, length: number): string =>
      cString(bytes.subarray(at + from, at + from + length))
    const name = text(VARIABLE_HEADER.name, 32)
    if (name === '') continue
    variables.push({
      name,
      type: kind.type,
      count,
      offset,
      unit: text(VARIABLE_HEADER.unit, 32),
      description: text(VARIABLE_HEADER.description, 64),
    })
  }
  return variables
}

function cString(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return decodeText(end === -1 ? bytes : bytes.subarray(0, end)).trim()
}
