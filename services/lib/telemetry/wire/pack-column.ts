import { ElementType } from '@lapwing/contracts/telemetry.pb'
import { byteCodec, type DifferenceCodec, type Elements, pairCodec, wordCodec } from './difference-codecs.ts'
import { WireError } from './wire-error.ts'

/** A column as it lies in the message `Column`: see the comment there, which is the format. */
export interface PackedColumn {
  readonly type: ElementType
  /** How many times differences were taken, 0 to `MAX_ORDER`. */
  readonly order: number
  /** Rows times the size of an element, in bytes. */
  readonly packed: Uint8Array
}

/** The third difference follows a car's place along the lap; a fourth was never smaller in recorded files. */
export const MAX_ORDER = 3

/**
 * Packs a column without loss: the bits that come out of `unpackColumn` are the bits that went in,
 * a NaN's payload and a negative zero included. Values are only ever touched as unsigned integers,
 * because an engine may replace one NaN by another when a float passes through it.
 */
export function packColumn(values: Elements): PackedColumn {
  const type = TYPE_OF.get(values.constructor)
  if (type === undefined) throw new TypeError('Not a column of a type that is sent.')
  const { codec } = LAYOUTS[type]!
  const work = codec.toWords(values)
  const order = smallestOrder(work, codec)
  return { type, order, packed: codec.split(work) }
}

/** Gives back the values of a column of `rows` elements; throws a `WireError` where it cannot be one. */
export function unpackColumn(column: PackedColumn, rows: number): Elements {
  const layout = LAYOUTS[column.type]
  if (layout === undefined) throw new WireError('wire.malformed', 'element type')
  if (column.packed.byteLength !== rows * layout.bytes) throw new WireError('wire.malformed', 'column length')
  if (!(column.order >= 0 && column.order <= MAX_ORDER)) throw new WireError('wire.malformed', 'order')
  const work = layout.codec.join(column.packed, rows)
  for (let k = 0; k < column.order; k++) layout.codec.sum(work)
  return layout.fromWords(work)
}

/** Element types by their number in the message. */
const LAYOUTS: Readonly<
  Partial<
    Record<
      ElementType,
      { bytes: 1 | 4 | 8; codec: DifferenceCodec; fromWords: (work: Int32Array<ArrayBuffer>) => Elements }
    >
  >
> = {
  [ElementType.INT8]: { bytes: 1, codec: byteCodec, fromWords: work => new Int8Array(work) },
  [ElementType.UINT8]: { bytes: 1, codec: byteCodec, fromWords: work => new Uint8Array(work) },
  [ElementType.INT32]: { bytes: 4, codec: wordCodec, fromWords: work => work },
  [ElementType.UINT32]: { bytes: 4, codec: wordCodec, fromWords: work => new Uint32Array(work.buffer) },
  [ElementType.FLOAT32]: { bytes: 4, codec: wordCodec, fromWords: work => new Float32Array(work.buffer) },
  [ElementType.FLOAT64]: { bytes: 8, codec: pairCodec, fromWords: work => new Float64Array(work.buffer) },
}

const TYPE_OF: ReadonlyMap<unknown, ElementType> = new Map<unknown, ElementType>([
  [Int8Array, ElementType.INT8],
  [Uint8Array, ElementType.UINT8],
  [Int32Array, ElementType.INT32],
  [Uint32Array, ElementType.UINT32],
  [Float32Array, ElementType.FLOAT32],
  [Float64Array, ElementType.FLOAT64],
])

/** Leaves `work` at the order with the fewest bits in use, the lowest of equals, and says which it is. */
function smallestOrder(work: Int32Array, codec: DifferenceCodec): number {
  let best = 0
  let bestCost = codec.cost(work)
  for (let order = 1; order <= MAX_ORDER; order++) {
    codec.difference(work)
    const cost = codec.cost(work)
    if (cost < bestCost) {
      best = order
      bestCost = cost
    }
  }
  for (let order = MAX_ORDER; order > best; order--) codec.sum(work)
  return best
}
