import { contains, type OutlineBox, widened } from './outline-box.ts'
import type { OutlineDrawing } from './outline-drawing.ts'
import { writeLine, writeSegments } from './outline-path.ts'

/** The lines of one lap near what is shown, in metres. */
export interface OutlinePaths {
  /** Not only what is driven so far, and with few points, for the wide band. */
  readonly road: Path2D
  readonly driven: Path2D
  /** The parts of each class of the lap's colours. */
  readonly classes: readonly Path2D[]
}

/** Pixels. A point nearer than this to the one before is not drawn. */
const LINE_DETAIL_PX = 0.5
const ROAD_DETAIL_PX = 1.5

/**
 * Returns a function that builds the paths of the part of a lap in `box`, for a pixel of `pixelM` metres. It
 * builds them again only after the zoom has doubled or halved, or after the box has left the surroundings that
 * they were built for. So most frames of a zoom or a drag reuse them, and none draws much that is out of sight.
 */
export function rememberPaths() {
  const remembered = new WeakMap<OutlineDrawing, Remembered>()
  return (drawing: OutlineDrawing, pixelM: number, box: OutlineBox, progress: number): OutlinePaths => {
    const detailM = 2 ** Math.floor(Math.log2(pixelM))
    const known = remembered.get(drawing)
    if (known?.detailM === detailM && known.progress === progress && contains(known.surroundings, box)) {
      return known.paths
    }
    const surroundings = widened(box, (box.maxX - box.minX) / 2, (box.maxY - box.minY) / 2)
    const paths = buildPaths(drawing, detailM, surroundings, progress)
    remembered.set(drawing, { detailM, surroundings, progress, paths })
    return paths
  }
}

interface Remembered {
  readonly detailM: number
  readonly surroundings: OutlineBox
  readonly progress: number
  readonly paths: OutlinePaths
}

function buildPaths(
  { geometry, classes, runs }: OutlineDrawing,
  detailM: number,
  box: OutlineBox,
  progress: number,
): OutlinePaths {
  const last = geometry.x.length - 1
  const end = Math.round(progress * last)
  const line = (to: number, detailPx: number) => {
    const path = new Path2D()
    writeLine(path, geometry, 0, to, detailPx * detailM, box)
    return path
  }
  return {
    road: line(last, ROAD_DETAIL_PX),
    driven: line(end, LINE_DETAIL_PX),
    classes: classes.map((_, state) => {
      const path = new Path2D()
      writeSegments(path, geometry, runs, state, end, LINE_DETAIL_PX * detailM, box)
      return path
    }),
  }
}
