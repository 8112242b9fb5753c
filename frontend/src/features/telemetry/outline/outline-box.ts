/** A box in metres of the outline's plane. */
export interface OutlineBox {
  readonly minX: number
  readonly maxX: number
  readonly minY: number
  readonly maxY: number
}

export const EVERYWHERE: OutlineBox = {
  minX: Number.NEGATIVE_INFINITY,
  maxX: Number.POSITIVE_INFINITY,
  minY: Number.NEGATIVE_INFINITY,
  maxY: Number.POSITIVE_INFINITY,
}

/** Returns a box with `byX` and `byY` metres more on both sides. */
export function widened({ minX, maxX, minY, maxY }: OutlineBox, byX: number, byY: number): OutlineBox {
  return { minX: minX - byX, maxX: maxX + byX, minY: minY - byY, maxY: maxY + byY }
}

export function contains(outer: OutlineBox, inner: OutlineBox): boolean {
  return (
    outer.minX <= inner.minX &&
    outer.maxX >= inner.maxX &&
    outer.minY <= inner.minY &&
    outer.maxY >= inner.maxY
  )
}

/** Returns the extent of the points that are not NaN and that are meant; `minX > maxX` without one. */
export function boxOf(
  x: Float64Array,
  y: Float64Array,
  isMeant: (index: number) => boolean = () => true,
): OutlineBox {
  let minX = Number.POSITIVE_INFINITY
  let maxX = Number.NEGATIVE_INFINITY
  let minY = Number.POSITIVE_INFINITY
  let maxY = Number.NEGATIVE_INFINITY
  for (let i = 0; i < x.length; i++) {
    if (Number.isNaN(x[i]!) || !isMeant(i)) continue
    if (x[i]! < minX) minX = x[i]!
    if (x[i]! > maxX) maxX = x[i]!
    if (y[i]! < minY) minY = y[i]!
    if (y[i]! > maxY) maxY = y[i]!
  }
  return { minX, maxX, minY, maxY }
}
