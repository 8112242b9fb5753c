/**
 * The steps of packing, for one size of element. All work in place on 32-bit words, one an element
 * or, for eight bytes, two with the low one first; as every engine that runs this is little-endian,
 * that is how the elements lie in memory. The loops are written out a size each: with the size as a
 * variable inside they are five times slower.
 */
export interface DifferenceCodec {
  /** A copy of the bits. */
  toWords(values: Elements): Int32Array<ArrayBuffer>
  /** Replaces each element by its difference to the one before; the first stays, as if 0 came before it. */
  difference(work: Int32Array): void
  /** Undoes `difference`. */
  sum(work: Int32Array): void
  /** Bits in use once the signs are folded, over all elements: roughly what compression cannot take away. */
  cost(work: Int32Array): number
  /** Folds the signs (0, -1, 1, -2, ... become 0, 1, 2, 3, ...) and lays the bytes out in planes. */
  split(work: Int32Array): Uint8Array
  /** Undoes `split`. */
  join(packed: Uint8Array, rows: number): Int32Array<ArrayBuffer>
}

export type Elements = Int8Array | Uint8Array | Int32Array | Uint32Array | Float32Array | Float64Array

/** One byte an element. Differences grow beyond it in the words and are cut to it when they are folded. */
export const byteCodec: DifferenceCodec = {
  toWords: values => new Int32Array(values),
  difference: differenceOfWords,
  sum: sumOfWords,
  cost(work) {
    let bits = 0
    for (let i = 0; i < work.length; i++) {
      const value = (work[i]! << 24) >> 24
      bits += 32 - Math.clz32((value << 1) ^ (value >> 31))
    }
    return bits
  },
  split(work) {
    const packed = new Uint8Array(work.length)
    for (let i = 0; i < work.length; i++) {
      const value = (work[i]! << 24) >> 24
      packed[i] = (value << 1) ^ (value >> 31)
    }
    return packed
  },
  join(packed, rows) {
    const work = new Int32Array(rows)
    for (let i = 0; i < rows; i++) work[i] = (packed[i]! >>> 1) ^ -(packed[i]! & 1)
    return work
  },
}

/** Four bytes an element. */
export const wordCodec: DifferenceCodec = {
  toWords: copyOfBits,
  difference: differenceOfWords,
  sum: sumOfWords,
  cost(work) {
    let bits = 0
    for (let i = 0; i < work.length; i++) bits += 32 - Math.clz32((work[i]! << 1) ^ (work[i]! >> 31))
    return bits
  },
  split(work) {
    const rows = work.length
    const packed = new Uint8Array(rows * 4)
    for (let i = 0; i < rows; i++) {
      const folded = (work[i]! << 1) ^ (work[i]! >> 31)
      packed[i] = folded
      packed[rows + i] = folded >>> 8
      packed[2 * rows + i] = folded >>> 16
      packed[3 * rows + i] = folded >>> 24
    }
    return packed
  },
  join(packed, rows) {
    const work = new Int32Array(rows)
    for (let i = 0; i < rows; i++) {
      const folded =
        packed[i]! | (packed[rows + i]! << 8) | (packed[2 * rows + i]! << 16) | (packed[3 * rows + i]! << 24)
      work[i] = (folded >>> 1) ^ -(folded & 1)
    }
    return work
  },
}

/** Eight bytes an element: one 64-bit integer in two words, with the carry worked by hand. */
export const pairCodec: DifferenceCodec = {
  toWords: copyOfBits,
  difference(work) {
    for (let i = work.length - 2; i > 0; i -= 2) {
      const low = work[i]!
      const lowBefore = work[i - 2]!
      const borrow = low >>> 0 < lowBefore >>> 0 ? 1 : 0
      work[i] = low - lowBefore
      work[i + 1] = work[i + 1]! - work[i - 1]! - borrow
    }
  },
  sum(work) {
    let low = 0
    let high = 0
    for (let i = 0; i < work.length; i += 2) {
      const added = work[i]!
      low = (low + added) | 0
      const carry = low >>> 0 < added >>> 0 ? 1 : 0
      high = (high + work[i + 1]! + carry) | 0
      work[i] = low
      work[i + 1] = high
    }
  },
  cost(work) {
    let bits = 0
    for (let i = 0; i < work.length; i += 2) {
      const sign = work[i + 1]! >> 31
      const low = (work[i]! << 1) ^ sign
      const high = ((work[i + 1]! << 1) | (work[i]! >>> 31)) ^ sign
      bits += high === 0 ? 32 - Math.clz32(low) : 64 - Math.clz32(high)
    }
    return bits
  },
  split(work) {
    const rows = work.length / 2
    const packed = new Uint8Array(rows * 8)
    for (let i = 0; i < rows; i++) {
      const sign = work[2 * i + 1]! >> 31
      const low = (work[2 * i]! << 1) ^ sign
      const high = ((work[2 * i + 1]! << 1) | (work[2 * i]! >>> 31)) ^ sign
      packed[i] = low
      packed[rows + i] = low >>> 8
      packed[2 * rows + i] = low >>> 16
      packed[3 * rows + i] = low >>> 24
      packed[4 * rows + i] = high
      packed[5 * rows + i] = high >>> 8
      packed[6 * rows + i] = high >>> 16
      packed[7 * rows + i] = high >>> 24
    }
    return packed
  },
  join(packed, rows) {
    const work = new Int32Array(rows * 2)
    for (let i = 0; i < rows; i++) {
      const low =
        packed[i]! | (packed[rows + i]! << 8) | (packed[2 * rows + i]! << 16) | (packed[3 * rows + i]! << 24)
      const high =
        packed[4 * rows + i]! |
        (packed[5 * rows + i]! << 8) |
        (packed[6 * rows + i]! << 16) |
        (packed[7 * rows + i]! << 24)
      const sign = -(low & 1)
      work[2 * i] = ((low >>> 1) | (high << 31)) ^ sign
      work[2 * i + 1] = (high >>> 1) ^ sign
    }
    return work
  },
}

function copyOfBits(values: Elements): Int32Array<ArrayBuffer> {
  const words = new Int32Array(values.byteLength / 4)
  words.set(new Int32Array(values.buffer, values.byteOffset, words.length))
  return words
}

function differenceOfWords(work: Int32Array): void {
  for (let i = work.length - 1; i > 0; i--) work[i] = work[i]! - work[i - 1]!
}

function sumOfWords(work: Int32Array): void {
  let value = 0
  for (let i = 0; i < work.length; i++) {
    value = (value + work[i]!) | 0
    work[i] = value
  }
}
