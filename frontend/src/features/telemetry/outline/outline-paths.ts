import type { OutlineDrawing } from './outline-drawing.ts'
import { writeLine, writeSegments } from './outline-path.ts'

/** The lines of one lap, in metres. */
export interface OutlinePaths {
  /** The whole lap with few points, for the wide band. */
  readonly road: Path2D
  readonly driven: Path2D
  /** The parts of each class of the lap's colours. */
  readonly classes: readonly Path2D[]
}

/** Pixels. A point nearer than this to the one before is not drawn. */
const LINE_DETAIL_PX = 0.5
const ROAD_DETAIL_PX = 1.5

/**
 * Returns a function that builds a lap's paths for a pixel of `pixelM` metres. It builds them again only
 * after the zoom has doubled or halved, so that zooming and dragging reuse them.
 */
export function rememberPaths() {
  const remembered = new WeakMap<OutlineDrawing, { detailM: number; progress: number; paths: OutlinePaths }>()
  return (drawing: OutlineDrawing, pixelM: number, progress: number): OutlinePaths => {
    const detailM = 2 ** Math.floor(Math.log2(pixelM))
    const known = remembered.get(drawing)
    if (known?.detailM === detailM && known.progress === progress) return known.paths
    const paths = buildPaths(drawing, detailM, progress)
    remembered.set(drawing, { detailM, progress, paths })
    return paths
  }
}

function buildPaths(
  { geometry, classes, runs }: OutlineDrawing,
  detailM: number,
  progress: number,
): OutlinePaths {
  const last = geometry.x.length - 1
  const end = Math.round(progress * last)
  const line = (to: number, detailPx: number) => {
    const path = new Path2D()
    writeLine(path, geometry, 0, to, detailPx * detailM)
    return path
  }
  return {
    road: line(last, ROAD_DETAIL_PX),
    driven: line(end, LINE_DETAIL_PX),
    classes: classes.map((_, state) => {
      const path = new Path2D()
      writeSegments(path, geometry, runs, state, end, LINE_DETAIL_PX * detailM)
      return path
    }),
  }
}
