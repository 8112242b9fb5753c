import { HEADER, SUB_HEADER } from '@lapwing/telemetry/layout'

/**
 * Returns a telemetry file with the same samples and wider rows, so that it has about `bytes` bytes and never
 * more. Real files are wide too: the simulator records hundreds of channels that no lap needs. Returns the file
 * itself if it is large enough already.
 */
export function wideFile(file: Uint8Array, bytes: number): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const rowsAt = view.getInt32(HEADER.bufOffset, true)
  const rows = view.getInt32(SUB_HEADER.recordCount, true)
  const narrow = view.getInt32(HEADER.bufLen, true)
  const wide = Math.floor((bytes - rowsAt) / rows)
  if (wide <= narrow) return file
  const result = new Uint8Array(rowsAt + rows * wide)
  result.set(file.subarray(0, rowsAt))
  new DataView(result.buffer).setInt32(HEADER.bufLen, wide, true)
  for (let row = 0; row < rows; row++) {
    const from = rowsAt + row * narrow
    result.set(file.subarray(from, from + narrow), rowsAt + row * wide)
  }
  return result
}
