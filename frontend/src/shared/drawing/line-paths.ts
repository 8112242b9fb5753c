import type uPlot from 'uplot'
import type { LinePoints } from './min-max-decimate.ts'

/** Converts lines for the library's second mode, a pair of columns a series, which its types do not know. */
export function toData(lines: readonly LinePoints[]): uPlot.AlignedData {
  return [null, ...lines.map(line => [line.x, line.y])] as unknown as uPlot.AlignedData
}

/** Draws lines straight from point to point. A NaN lifts the pen. */
export const straightPath: uPlot.Series.PathBuilder = (chart, series) => linePaths(chart, series, false)
/** Draws lines that hold each value until the next point. */
export const steppedPath: uPlot.Series.PathBuilder = (chart, series) => linePaths(chart, series, true)

function linePaths(chart: uPlot, seriesIndex: number, isStepped: boolean): uPlot.Series.Paths {
  const [xs, ys] = chart.data[seriesIndex] as unknown as [Float64Array, Float64Array]
  const stroke = new Path2D()
  const fill = new Path2D()
  const { left, top, width, height } = chart.bbox
  const { facets } = chart.series[seriesIndex]! as { readonly facets: readonly { readonly scale: string }[] }
  const [x, y] = facets.map(({ scale }) => chart.scales[scale]) as [Bounds, Bounds]
  const perX = width / (x.max - x.min)
  const perY = height / (y.max - y.min)
  // At zero, or at the edge that is nearest to it.
  const base = top + (y.max - Math.min(y.max, Math.max(0, y.min))) * perY
  let isDown = false
  let px = 0
  let py = 0
  for (let i = 0; i < xs.length; i++) {
    if (Number.isNaN(ys[i]!)) {
      if (isDown) fill.lineTo(px, base)
      isDown = false
      continue
    }
    const before = py
    px = left + (xs[i]! - x.min) * perX
    py = top + (y.max - ys[i]!) * perY
    if (!isDown) {
      stroke.moveTo(px, py)
      fill.moveTo(px, base)
    } else if (isStepped) {
      stroke.lineTo(px, before)
      fill.lineTo(px, before)
    }
    stroke.lineTo(px, py)
    fill.lineTo(px, py)
    isDown = true
  }
  if (isDown) fill.lineTo(px, base)
  return { stroke, fill, clip: null, band: null, flags: 0 }
}

type Bounds = Required<Pick<uPlot.Scale, 'min' | 'max'>>
