import type { Variable } from '../columns.ts'
import { byteString, decodeByteString } from '../session/decode-text.ts'
import { IbtError } from './ibt-error.ts'
import { VARIABLE_HEADER, VARIABLE_HEADER_BYTES, VARIABLE_TYPES } from './layout.ts'

/**
 * Returns the variables of a block of variable headers, in order, without nameless ones. Throws
 * `ibt.bad_header` if one has an unknown type or lies outside a row of `bufLen` bytes. Also throws it if all
 * together are larger than a row, so that columns never outgrow the file.
 */
export function readVariables(bytes: Uint8Array, bufLen: number): Variable[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = byteString(bytes)
  const variables: Variable[] = []
  let rowBytes = 0
  for (let at = 0; at + VARIABLE_HEADER_BYTES <= bytes.byteLength; at += VARIABLE_HEADER_BYTES) {
    const kind = VARIABLE_TYPES[view.getInt32(at + VARIABLE_HEADER.type, true)]
    if (kind === undefined) throw badVariable(at, 'has an unknown type')
    const offset = view.getInt32(at + VARIABLE_HEADER.offset, true)
    const count = view.getInt32(at + VARIABLE_HEADER.count, true)
    if (offset < 0 || count < 1) throw badVariable(at, `has offset ${offset} and count ${count}`)
    const size = kind.bytes * count
    if (offset + size > bufLen) throw badVariable(at, 'ends outside a row')
    rowBytes += size
    if (rowBytes > bufLen) throw badVariable(at, 'overlaps others')
    const name = cString(text, at + VARIABLE_HEADER.name, 32)
    if (name === '') continue
    variables.push({
      name,
      type: kind.type,
      count,
      offset,
      unit: cString(text, at + VARIABLE_HEADER.unit, 32),
      description: cString(text, at + VARIABLE_HEADER.description, 64),
    })
  }
  return variables
}

function badVariable(at: number, what: string): IbtError {
  return new IbtError('ibt.bad_header', `variable ${at / VARIABLE_HEADER_BYTES} ${what}`)
}

function cString(text: string, at: number, length: number): string {
  const field = text.slice(at, at + length)
  const nul = field.indexOf('\0')
  return decodeByteString(nul === -1 ? field : field.slice(0, nul)).trim()
}
