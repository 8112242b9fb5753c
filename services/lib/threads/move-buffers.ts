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
