import type { Preview } from '@lapwing/telemetry'

/** The memory under a preview's arrays, each buffer once, to be handed over instead of copied. */
export function seriesBuffers(preview: Preview): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>()
  for (const value of Object.values(preview)) {
    if (ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer) buffers.add(value.buffer)
  }
  return [...buffers]
}
