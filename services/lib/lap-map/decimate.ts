/**
 * Chooses points of a line so that no left-out point is further than `tolerance` from the line between its
 * chosen neighbours (Douglas and Peucker). All values have one unit; the points must be finite. Returns
 * ascending indices from `from` to `to`, both of which are chosen.
 */
export function decimate(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  from: number,
  to: number,
  tolerance: number,
): number[] {
  if (to <= from) return to === from ? [from] : []
  const isChosen = new Uint8Array(to - from + 1)
  isChosen[0] = 1
  isChosen[to - from] = 1
  const open: [number, number][] = [[from, to]]
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const [start, end] = part
    let furthest = -1
    let square = tolerance * tolerance
    for (let i = start + 1; i < end; i++) {
      const away = squareToSegment(x[i]!, y[i]!, x[start]!, y[start]!, x[end]!, y[end]!)
      if (away > square) {
        furthest = i
        square = away
      }
    }
    if (furthest < 0) continue
    isChosen[furthest - from] = 1
    open.push([start, furthest], [furthest, end])
  }
  const chosen: number[] = []
  for (let i = 0; i < isChosen.length; i++) if (isChosen[i]) chosen.push(from + i)
  return chosen
}

/** Returns the square of the distance from a point to the segment between two others. */
export function squareToSegment(px: number, py: number, ax: number, ay: number, bx: number, by: number) {
  const alongX = bx - ax
  const alongY = by - ay
  const length = alongX * alongX + alongY * alongY
  const share = length === 0 ? 0 : ((px - ax) * alongX + (py - ay) * alongY) / length
  const at = Math.min(1, Math.max(0, share))
  return (px - ax - at * alongX) ** 2 + (py - ay - at * alongY) ** 2
}
