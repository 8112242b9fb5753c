/**
 * The steps of packing for one size of element; the comment on `Column` in the proto file names them.
 * Elements are read and written as 32-bit words, one each. Eight bytes are two words, the low one first:
 * every engine that runs this is little-endian.
 *
 * The loops are written out for each size and do all steps in one pass. One loop for each step, or the size
 * as a variable, takes three to five times longer. Differences above the requested order use a mask that sets
 * the value before to 0, and so change nothing.
 */
export interface PlaneCodec {
  /** Bytes of an element. */
  readonly size: 1 | 4 | 8
  /** Bits in use over all elements after differences of order 0, 1, 2 and 3. */
  bitsByOrder(values: Elements): [number, number, number, number]
  pack(values: Elements, order: number): Uint8Array
  /** Returns the bits of the elements; `packed` has `rows * size` bytes. */
  unpack(packed: Uint8Array, rows: number, order: number): Uint8Array<ArrayBuffer> | Int32Array<ArrayBuffer>
}

export type Elements = Int8Array | Uint8Array | Int32Array | Uint32Array | Float32Array | Float64Array

export const byteCodec: PlaneCodec = {
  size: 1,
  bitsByOrder(values) {
    const bytes = new Int8Array(values.buffer, values.byteOffset, values.length)
    let [bits0, bits1, bits2, bits3] = [0, 0, 0, 0]
    let [before0, before1, before2] = [0, 0, 0]
    for (let i = 0; i < bytes.length; i++) {
      const difference0 = bytes[i]!
      const difference1 = ((difference0 - before0) << 24) >> 24
      const difference2 = ((difference1 - before1) << 24) >> 24
      const difference3 = ((difference2 - before2) << 24) >> 24
      bits0 = ((bits0 | 0) + bitsOf(difference0)) | 0
      bits1 = ((bits1 | 0) + bitsOf(difference1)) | 0
      bits2 = ((bits2 | 0) + bitsOf(difference2)) | 0
      bits3 = ((bits3 | 0) + bitsOf(difference3)) | 0
      before0 = difference0
      before1 = difference1
      before2 = difference2
    }
    return [bits0, bits1, bits2, bits3]
  },
  pack(values, order) {
    const bytes = new Int8Array(values.buffer, values.byteOffset, values.length)
    const packed = new Uint8Array(bytes.length)
    const [mask1, mask2, mask3] = masks(order)
    let [before0, before1, before2] = [0, 0, 0]
    for (let i = 0; i < bytes.length; i++) {
      const difference0 = bytes[i]!
      const difference1 = (difference0 - (before0 & mask1)) | 0
      const difference2 = (difference1 - (before1 & mask2)) | 0
      const difference3 = (difference2 - (before2 & mask3)) | 0
      before0 = difference0
      before1 = difference1
      before2 = difference2
      const signed = (difference3 << 24) >> 24
      packed[i] = (signed << 1) ^ (signed >> 31)
    }
    return packed
  },
  unpack(packed, rows, order) {
    const bytes = new Uint8Array(rows)
    const [mask1, mask2, mask3] = masks(order)
    let [sum1, sum2, sum3] = [0, 0, 0]
    for (let i = 0; i < rows; i++) {
      const folded = packed[i]!
      sum1 = ((sum1 & mask1) + ((folded >>> 1) ^ -(folded & 1))) | 0
      sum2 = ((sum2 & mask2) + sum1) | 0
      sum3 = ((sum3 & mask3) + sum2) | 0
      bytes[i] = sum3
    }
    return bytes
  },
}

export const wordCodec: PlaneCodec = {
  size: 4,
  bitsByOrder(values) {
    const words = new Int32Array(values.buffer, values.byteOffset, values.length)
    let [bits0, bits1, bits2, bits3] = [0, 0, 0, 0]
    let [before0, before1, before2] = [0, 0, 0]
    for (let i = 0; i < words.length; i++) {
      const difference0 = words[i]!
      const difference1 = (difference0 - (before0 | 0)) | 0
      const difference2 = (difference1 - (before1 | 0)) | 0
      const difference3 = (difference2 - (before2 | 0)) | 0
      bits0 = ((bits0 | 0) + bitsOf(difference0)) | 0
      bits1 = ((bits1 | 0) + bitsOf(difference1)) | 0
      bits2 = ((bits2 | 0) + bitsOf(difference2)) | 0
      bits3 = ((bits3 | 0) + bitsOf(difference3)) | 0
      before0 = difference0
      before1 = difference1
      before2 = difference2
    }
    return [bits0, bits1, bits2, bits3]
  },
  pack(values, order) {
    const words = new Int32Array(values.buffer, values.byteOffset, values.length)
    const rows = words.length
    const packed = new Uint8Array(rows * 4)
    const [plane0, plane1, plane2, plane3] = planes(packed, rows)
    const [mask1, mask2, mask3] = masks(order)
    let [before0, before1, before2] = [0, 0, 0]
    for (let i = 0; i < rows; i++) {
      const difference0 = words[i]!
      const difference1 = (difference0 - (before0 & mask1)) | 0
      const difference2 = (difference1 - (before1 & mask2)) | 0
      const difference3 = (difference2 - (before2 & mask3)) | 0
      before0 = difference0
      before1 = difference1
      before2 = difference2
      const folded = (difference3 << 1) ^ (difference3 >> 31)
      plane0[i] = folded
      plane1[i] = folded >> 8
      plane2[i] = folded >> 16
      plane3[i] = folded >> 24
    }
    return packed
  },
  unpack(packed, rows, order) {
    const words = new Int32Array(rows)
    const [plane0, plane1, plane2, plane3] = planes(packed, rows)
    const [mask1, mask2, mask3] = masks(order)
    let [sum1, sum2, sum3] = [0, 0, 0]
    for (let i = 0; i < rows; i++) {
      const folded = plane0[i]! | (plane1[i]! << 8) | (plane2[i]! << 16) | (plane3[i]! << 24)
      sum1 = ((sum1 & mask1) + ((folded >>> 1) ^ -(folded & 1))) | 0
      sum2 = ((sum2 & mask2) + sum1) | 0
      sum3 = ((sum3 & mask3) + sum2) | 0
      words[i] = sum3
    }
    return words
  },
}

/** Handles one 64-bit integer as two words, with borrow and carry by hand. */
export const pairCodec: PlaneCodec = {
  size: 8,
  bitsByOrder(values) {
    const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2)
    let [bits0, bits1, bits2, bits3] = [0, 0, 0, 0]
    let [lowBefore0, lowBefore1, lowBefore2, highBefore0, highBefore1, highBefore2] = [0, 0, 0, 0, 0, 0]
    for (let i = 0; i < words.length; i += 2) {
      const low0 = words[i]!
      const high0 = words[i + 1]!
      const low1 = (low0 - (lowBefore0 | 0)) | 0
      const high1 = (((high0 - (highBefore0 | 0)) | 0) - borrow(low0, lowBefore0, low1)) | 0
      const low2 = (low1 - (lowBefore1 | 0)) | 0
      const high2 = (((high1 - (highBefore1 | 0)) | 0) - borrow(low1, lowBefore1, low2)) | 0
      const low3 = (low2 - (lowBefore2 | 0)) | 0
      const high3 = (((high2 - (highBefore2 | 0)) | 0) - borrow(low2, lowBefore2, low3)) | 0
      bits0 = ((bits0 | 0) + bitsOfPair(low0, high0)) | 0
      bits1 = ((bits1 | 0) + bitsOfPair(low1, high1)) | 0
      bits2 = ((bits2 | 0) + bitsOfPair(low2, high2)) | 0
      bits3 = ((bits3 | 0) + bitsOfPair(low3, high3)) | 0
      lowBefore0 = low0
      lowBefore1 = low1
      lowBefore2 = low2
      highBefore0 = high0
      highBefore1 = high1
      highBefore2 = high2
    }
    return [bits0, bits1, bits2, bits3]
  },
  pack(values, order) {
    const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2)
    const rows = values.length
    const packed = new Uint8Array(rows * 8)
    const [plane0, plane1, plane2, plane3] = planes(packed, rows)
    const [plane4, plane5, plane6, plane7] = planes(packed.subarray(4 * rows), rows)
    const [mask1, mask2, mask3] = masks(order)
    let [lowBefore0, lowBefore1, lowBefore2, highBefore0, highBefore1, highBefore2] = [0, 0, 0, 0, 0, 0]
    for (let i = 0; i < rows; i++) {
      const low0 = words[2 * i]!
      const high0 = words[2 * i + 1]!
      const low1 = (low0 - (lowBefore0 & mask1)) | 0
      const high1 = (((high0 - (highBefore0 & mask1)) | 0) - borrow(low0, lowBefore0 & mask1, low1)) | 0
      const low2 = (low1 - (lowBefore1 & mask2)) | 0
      const high2 = (((high1 - (highBefore1 & mask2)) | 0) - borrow(low1, lowBefore1 & mask2, low2)) | 0
      const low3 = (low2 - (lowBefore2 & mask3)) | 0
      const high3 = (((high2 - (highBefore2 & mask3)) | 0) - borrow(low2, lowBefore2 & mask3, low3)) | 0
      lowBefore0 = low0
      lowBefore1 = low1
      lowBefore2 = low2
      highBefore0 = high0
      highBefore1 = high1
      highBefore2 = high2
      const low = (low3 << 1) ^ (high3 >> 31)
      const high = ((high3 << 1) | (low3 >>> 31)) ^ (high3 >> 31)
      plane0[i] = low
      plane1[i] = low >> 8
      plane2[i] = low >> 16
      plane3[i] = low >> 24
      plane4[i] = high
      plane5[i] = high >> 8
      plane6[i] = high >> 16
      plane7[i] = high >> 24
    }
    return packed
  },
  unpack(packed, rows, order) {
    const words = new Int32Array(rows * 2)
    const [plane0, plane1, plane2, plane3] = planes(packed, rows)
    const [plane4, plane5, plane6, plane7] = planes(packed.subarray(4 * rows), rows)
    const [mask1, mask2, mask3] = masks(order)
    let [low1, low2, low3, high1, high2, high3] = [0, 0, 0, 0, 0, 0]
    for (let i = 0; i < rows; i++) {
      const low = plane0[i]! | (plane1[i]! << 8) | (plane2[i]! << 16) | (plane3[i]! << 24)
      const high = plane4[i]! | (plane5[i]! << 8) | (plane6[i]! << 16) | (plane7[i]! << 24)
      const sign = -(low & 1)
      const low0 = ((low >>> 1) | (high << 31)) ^ sign
      const high0 = (high >>> 1) ^ sign
      const lowBefore1 = low1 & mask1
      low1 = (lowBefore1 + low0) | 0
      high1 = ((((high1 & mask1) + high0) | 0) + carry(lowBefore1, low0, low1)) | 0
      const lowBefore2 = low2 & mask2
      low2 = (lowBefore2 + low1) | 0
      high2 = ((((high2 & mask2) + high1) | 0) + carry(lowBefore2, low1, low2)) | 0
      const lowBefore3 = low3 & mask3
      low3 = (lowBefore3 + low2) | 0
      high3 = ((((high3 & mask3) + high2) | 0) + carry(lowBefore3, low2, low3)) | 0
      words[2 * i] = low3
      words[2 * i + 1] = high3
    }
    return words
  },
}

/** Returns four planes, each as an array of its own: one index for all needs fewer bounds checks. */
function planes(packed: Uint8Array, rows: number): [Uint8Array, Uint8Array, Uint8Array, Uint8Array] {
  return [
    packed.subarray(0, rows),
    packed.subarray(rows, 2 * rows),
    packed.subarray(2 * rows, 3 * rows),
    packed.subarray(3 * rows, 4 * rows),
  ]
}

/**
 * Returns all bits for a difference that is used, none for one that is not. The mask, like `| 0` elsewhere,
 * also shows the engine that a running value is an integer. With fractions, the loop takes seven times
 * longer.
 */
function masks(order: number): [number, number, number] {
  return [order > 0 ? -1 : 0, order > 1 ? -1 : 0, order > 2 ? -1 : 0]
}

/** Returns the bits in use after the sign is folded: roughly what compression cannot remove. */
function bitsOf(word: number): number {
  return 32 - Math.clz32((word << 1) ^ (word >> 31))
}

function bitsOfPair(low: number, high: number): number {
  const folded = ((high << 1) | (low >>> 31)) ^ (high >> 31)
  return folded === 0 ? 32 - Math.clz32((low << 1) ^ (high >> 31)) : 64 - Math.clz32(folded)
}

/** Returns 1 if `from - what`, which is `difference`, borrows from the word above; without a branch. */
function borrow(from: number, what: number, difference: number): number {
  return ((~from & what) | ((~from | what) & difference)) >>> 31
}

/** Returns 1 if `a + b`, which is `sum`, carries to the word above; without a branch. */
function carry(a: number, b: number, sum: number): number {
  return ((a & b) | ((a | b) & ~sum)) >>> 31
}
