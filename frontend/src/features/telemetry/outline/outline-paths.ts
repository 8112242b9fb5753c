import type { PedalState } from '@lapwing/lap-map/pedal-segments'
import type { GainState } from './gain-segments.ts'
import type { Colouring, OutlineDrawing } from './outline-drawing.ts'
import { writeLine, writeSegments } from './outline-path.ts'

/** The lines of one lap, in metres. */
export interface OutlinePaths {
  /** The whole lap with few points, for the wide band. */
  readonly road: Path2D
  readonly driven: Path2D
  /** The parts of one state each: a double, a plain and a thin line where colours are not enough. */
  readonly double: Path2D
  readonly plain: Path2D
  readonly thin: Path2D
}

/** Pixels. A point nearer than this to the one before is not drawn. */
const LINE_DETAIL_PX = 0.5
const ROAD_DETAIL_PX = 1.5

/**
 * Returns a function that builds a lap's paths for a pixel of `pixelM` metres. It builds them again only
 * after the zoom has doubled or halved, so that zooming and dragging reuse them.
 */
export function rememberPaths() {
  const remembered = new WeakMap<
    OutlineDrawing,
    { detailM: number; progress: number; colouring: Colouring; paths: OutlinePaths }
  >()
  return (
    drawing: OutlineDrawing,
    pixelM: number,
    progress: number,
    colouring: Colouring = 'pedals',
  ): OutlinePaths => {
    const detailM = 2 ** Math.floor(Math.log2(pixelM))
    const known = remembered.get(drawing)
    if (known?.detailM === detailM && known.progress === progress && known.colouring === colouring) {
      return known.paths
    }
    const paths = buildPaths(drawing, detailM, progress, colouring)
    remembered.set(drawing, { detailM, progress, colouring, paths })
    return paths
  }
}

function buildPaths(
  { geometry, segments, gains }: OutlineDrawing,
  detailM: number,
  progress: number,
  colouring: Colouring,
): OutlinePaths {
  const last = geometry.x.length - 1
  const end = Math.round(progress * last)
  const line = (to: number, detailPx: number) => {
    const path = new Path2D()
    writeLine(path, geometry, 0, to, detailPx * detailM)
    return path
  }
  const partsOf = (pedal: PedalState, gain: GainState) => {
    const path = new Path2D()
    const detail = LINE_DETAIL_PX * detailM
    if (colouring === 'gain' && gains) writeSegments(path, geometry, gains, gain, end, detail)
    else writeSegments(path, geometry, segments, pedal, end, detail)
    return path
  }
  return {
    road: line(last, ROAD_DETAIL_PX),
    driven: line(end, LINE_DETAIL_PX),
    double: partsOf('brake', 'loss'),
    plain: partsOf('throttle', 'gain'),
    thin: partsOf('coast', 'level'),
  }
}
