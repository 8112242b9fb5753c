import { contains, EVERYWHERE, type OutlineBox, widened } from './outline-box.ts'
import type { OutlineDrawing } from './outline-drawing.ts'
import { writeLine, writeSegments } from './outline-path.ts'

/** The lines of one lap near what is shown, in metres. */
export interface OutlineLines {
  readonly driven: Path2D
  /** The parts of each class of the lap's colours. */
  readonly classes: readonly Path2D[]
}

/** Builds paths of the part of a lap in `box`: of its first `progress` (0..1), for a pixel of `detailM` metres. */
type Build<Paths> = (drawing: OutlineDrawing, detailM: number, box: OutlineBox, progress: number) => Paths

/** Pixels. A point nearer than this to the one before is not drawn. */
const LINE_DETAIL_PX = 0.5
const ROAD_DETAIL_PX = 1.5

/** Samples. The paths of a lap that has no more of them, some five minutes, are built as a whole. */
const ORDINARY_LAP = 20_000

/**
 * Returns a function that builds paths of the part of a lap in a box, for a pixel of `pixelM` metres. It builds
 * them again only after the zoom has doubled or halved, or after the box has left the surroundings that they
 * were built for. So most frames of a zoom or a drag reuse them, and none draws much of a long lap that is out
 * of sight.
 */
export function rememberPaths<Paths>(build: Build<Paths>) {
  const remembered = new WeakMap<OutlineDrawing, Remembered<Paths>>()
  return (drawing: OutlineDrawing, pixelM: number, box: OutlineBox, progress: number): Paths => {
    const detailM = 2 ** Math.floor(Math.log2(pixelM))
    const known = remembered.get(drawing)
    if (known?.detailM === detailM && known.progress === progress && contains(known.surroundings, box)) {
      return known.paths
    }
    const surroundings =
      drawing.geometry.x.length <= ORDINARY_LAP
        ? EVERYWHERE
        : widened(box, (box.maxX - box.minX) / 2, (box.maxY - box.minY) / 2)
    const paths = build(drawing, detailM, surroundings, progress)
    remembered.set(drawing, { detailM, surroundings, progress, paths })
    return paths
  }
}

interface Remembered<Paths> {
  readonly detailM: number
  readonly surroundings: OutlineBox
  readonly progress: number
  readonly paths: Paths
}

/** Builds what the wide band follows: few points, and always the whole lap. */
export const buildRoad: Build<Path2D> = ({ geometry }, detailM, box) => {
  const road = new Path2D()
  writeLine(road, geometry, 0, geometry.x.length - 1, ROAD_DETAIL_PX * detailM, box)
  return road
}

export const buildLines: Build<OutlineLines> = ({ geometry, classes, runs }, detailM, box, progress) => {
  const end = Math.round(progress * (geometry.x.length - 1))
  const detail = LINE_DETAIL_PX * detailM
  const driven = new Path2D()
  writeLine(driven, geometry, 0, end, detail, box)
  return {
    driven,
    classes: classes.map((_, state) => {
      const path = new Path2D()
      writeSegments(path, geometry, runs, state, end, detail, box)
      return path
    }),
  }
}
