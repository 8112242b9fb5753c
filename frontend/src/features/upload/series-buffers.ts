import type { Preview } from '@lapwing/telemetry'

/** Returns the buffers under a preview's arrays, each once, to transfer instead of copy. */
export function seriesBuffers(preview: Preview): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>()
  for (const value of Object.values(preview)) {
    if (ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer) buffers.add(value.buffer)
  }
  return [...buffers]
}
