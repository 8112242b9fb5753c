import { ElementType } from '@lapwing/contracts/telemetry.pb'
import { byteCodec, type Elements, type PlaneCodec, pairCodec, wordCodec } from './plane-codecs.ts'
import { WireError } from './wire-error.ts'

/** A packed column of the message `Column`; the comment there describes the format. */
export interface PackedColumn {
  readonly type: ElementType
  /** How often differences were taken, 0 to `MAX_ORDER`. */
  readonly order: number
  /** Rows times the size of an element, in bytes. */
  readonly packed: Uint8Array
}

/**
 * The third difference fits the car's distance along the lap. A fourth was never smaller in recorded files.
 */
export const MAX_ORDER = 3

/**
 * Packs a column without loss: `unpackColumn` returns the same bits, NaN payloads and negative zeros
 * included. Handles values only as unsigned integers, because an engine may replace a NaN that it handles as
 * a float.
 */
export function packColumn(values: Elements): PackedColumn {
  const type = TYPE_OF.get(values.constructor)
  if (type === undefined) throw new TypeError('Not a column of a type that is sent.')
  const { codec } = LAYOUTS[type]!
  const bits = codec.bitsByOrder(values)
  // The lowest of equals.
  const order = bits.indexOf(Math.min(...bits))
  return { type, order, packed: codec.pack(values, order) }
}

/** Returns the values of a column of `rows` elements. Throws a `WireError` if the column is invalid. */
export function unpackColumn(column: PackedColumn, rows: number): Elements {
  const layout = LAYOUTS[column.type]
  if (layout === undefined) throw new WireError('wire.malformed', 'element type')
  const { codec, elements } = layout
  if (column.packed.byteLength !== rows * codec.size) throw new WireError('wire.malformed', 'column length')
  if (!(column.order >= 0 && column.order <= MAX_ORDER)) throw new WireError('wire.malformed', 'order')
  return new elements(codec.unpack(column.packed, rows, column.order).buffer)
}

/** Element types by their number in the message. */
const LAYOUTS: Readonly<
  Partial<Record<ElementType, { codec: PlaneCodec; elements: new (bits: ArrayBuffer) => Elements }>>
> = {
  [ElementType.INT8]: { codec: byteCodec, elements: Int8Array },
  [ElementType.UINT8]: { codec: byteCodec, elements: Uint8Array },
  [ElementType.INT32]: { codec: wordCodec, elements: Int32Array },
  [ElementType.UINT32]: { codec: wordCodec, elements: Uint32Array },
  [ElementType.FLOAT32]: { codec: wordCodec, elements: Float32Array },
  [ElementType.FLOAT64]: { codec: pairCodec, elements: Float64Array },
}

const TYPE_OF: ReadonlyMap<unknown, ElementType> = new Map<unknown, ElementType>([
  [Int8Array, ElementType.INT8],
  [Uint8Array, ElementType.UINT8],
  [Int32Array, ElementType.INT32],
  [Uint32Array, ElementType.UINT32],
  [Float32Array, ElementType.FLOAT32],
  [Float64Array, ElementType.FLOAT64],
])
