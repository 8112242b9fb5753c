import { Piscina } from 'piscina'

/** Marks the value of a task's answer, so that these buffers are moved to the pool and not copied. */
export function moveBuffers<Value extends object>(value: Value, buffers: readonly ArrayBuffer[]): Value {
  return Piscina.move({
    get [Piscina.transferableSymbol]() {
      return buffers
    },
    get [Piscina.valueSymbol]() {
      return value
    },
  } as never) as unknown as Value
}

/** Returns the bytes in a buffer of their own. Small buffers share one allocation, which cannot be moved. */
export function ownBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? (bytes as Uint8Array<ArrayBuffer>)
    : new Uint8Array(bytes)
}
