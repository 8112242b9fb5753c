import uPlot from 'uplot'
import { toData } from '#shared/drawing/line-paths.ts'
import type { LinePoints } from '#shared/drawing/min-max-decimate.ts'
import { bindGestures } from '#shared/drawing/pointer-gestures.ts'
import { setText } from '#shared/drawing/set-text.ts'
import type { DeckChart } from './chart-deck.ts'
import { type ChartLook, FONT } from './chart-look.ts'
import { formatValue } from './drawn-unit.ts'
import { extentOf, histogram, padded } from './histogram.ts'
import type { LapViews, ShownRange } from './lap-views.ts'
import type { DrawnLine } from './lines-chart.ts'
import { nearestPoint } from './nearest-point.ts'
import { selectedRows } from './selected-rows.ts'
import { thinPoints } from './thin-points.ts'

interface PointsChartOptions {
  readonly host: HTMLElement
  readonly chips: readonly HTMLElement[]
  /** One channel makes a histogram, two a scatter of the second over the first. */
  readonly lines: readonly DrawnLine[]
  readonly views: LapViews
}

const AXIS_WIDTH = 46
const AXIS_HEIGHT = 22
/** Pixels of the screen. */
const POINT = 2
/** Pixels around a point that belong to it. */
const REACH = 24

/** Draws a scatter or a histogram of the lap, or of the chosen corner. The cursor's row is marked in it. */
export function createPointsChart(
  { host, chips, lines, views }: PointsChartOptions,
  firstLook: ChartLook,
): DeckChart {
  const [first, second] = lines as [DrawnLine, DrawnLine | undefined]
  const { lap, reference } = views
  let look = firstLook
  let bounds: { readonly x: [number, number]; readonly y: [number, number] } = { x: [0, 1], y: [0, 1] }
  /** The corner that is drawn, and the size: a zoom or a drag changes neither. */
  let drawnOf: unknown = null
  const hasReference = reference !== null && lines.every(line => line.reference !== null)

  const chart = new uPlot(
    {
      mode: 2,
      width: 100,
      height: 100,
      padding: [6, 12, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, auto: false, range: () => bounds.x },
        y: { auto: false, range: () => bounds.y },
      },
      axes: [
        { ...axis(), scale: 'x', size: AXIS_HEIGHT, space: 56, gap: 4 },
        {
          ...axis(),
          scale: 'y',
          size: AXIS_WIDTH,
          space: 30,
          gap: 6,
          ...(second ? {} : { values: percents }),
        },
      ],
      series: [
        {},
        ...(hasReference ? [series(() => look.tokens.reference, true)] : []),
        series(() => look.tokens.lap, false),
      ],
    },
    toData(
      Array.from({ length: hasReference ? 2 : 1 }, () => ({
        x: new Float64Array(0),
        y: new Float64Array(0),
      })),
    ),
    host,
  )

  function axis(): uPlot.Axis {
    return {
      font: FONT,
      stroke: () => look.tokens.muted,
      grid: { stroke: () => look.tokens.line, width: 1 },
      ticks: { show: false },
    }
  }

  /** A histogram of the lap has areas, that of the reference only an outline, so that both are seen. */
  function series(colour: () => string, isReference: boolean): uPlot.Series {
    return {
      facets: [
        { scale: 'x', auto: false },
        { scale: 'y', auto: false },
      ],
      stroke: colour,
      width: 1.5,
      points: { show: false },
      ...(second
        ? { fill: colour, paths: pointPaths }
        : {
            ...(isReference ? {} : { fill: () => `color-mix(in srgb, ${colour()} 30%, transparent)` }),
            paths: barPaths,
          }),
    } as uPlot.Series
  }

  const { over } = chart
  over.classList.add('channels-over')
  const mark = over.appendChild(document.createElement('div'))
  mark.className = second ? 'channels-point' : 'channels-cursor'

  /** Returns the row of the point under the pointer; null without one. */
  function rowAt({ x, y }: { readonly x: number; readonly y: number }): number | null {
    const place = {
      x: chart.posToVal(x, 'x'),
      y: chart.posToVal(y, 'y'),
      pixelsPerX: chart.bbox.width / devicePixelRatio / (bounds.x[1] - bounds.x[0]),
      pixelsPerY: chart.bbox.height / devicePixelRatio / (bounds.y[1] - bounds.y[0]),
    }
    const isMeant = selectedRows(lap.metres, views.range.get()?.chosen)
    const index = nearestPoint(first.values, second!.values, isMeant, place, REACH)
    return index === null ? null : lap.rowStart + index
  }

  if (second) over.style.touchAction = 'pan-y'
  const stopGestures = second
    ? bindGestures(over, {
        hover: point => views.cursor.hover(point && rowAt(point)),
        click: point => views.cursor.toggleLock(rowAt(point)),
        pan: () => {},
        zoom: () => false,
        reset: () => {},
        fingerPans: () => false,
      })
    : () => {}

  function drawScatter(y: DrawnLine, chosen: ShownRange['chosen'], size: { width: number; height: number }) {
    const isMeant = selectedRows(lap.metres, chosen)
    // The axes of the whole lap, so that the points of one corner are seen beside nothing but themselves, in place.
    const both = (line: DrawnLine, others: Float64Array | null) =>
      extentOf([
        { values: line.values, isMeant: selectedRows(lap.metres, undefined) },
        ...(hasReference ? [{ values: others!, isMeant: selectedRows(reference.metres, undefined) }] : []),
      ])
    bounds = { x: padded(both(first, first.reference)), y: padded(both(y, y.reference)) }
    const window = { ...bounds, ...size }
    return [
      ...(hasReference
        ? [thinPoints(first.reference!, y.reference!, selectedRows(reference.metres, chosen), window)]
        : []),
      thinPoints(first.values, y.values, isMeant, window),
    ]
  }

  function drawHistogram(chosen: ShownRange['chosen']) {
    const parts = [
      ...(hasReference
        ? [{ values: first.reference!, isMeant: selectedRows(reference.metres, chosen) }]
        : []),
      { values: first.values, isMeant: selectedRows(lap.metres, chosen) },
    ]
    const within = extentOf(parts)
    const found = parts.map(({ values, isMeant }) =>
      histogram(values, isMeant, { isStepped: first.isStepped, within }),
    )
    const most = Math.max(1, ...found.flatMap(each => (each ? [...each.shares] : [])))
    const some = found.find(each => each !== null)
    bounds = {
      x: some ? padded([some.from, some.from + some.step * some.shares.length]) : [0, 1],
      y: [0, 1.08 * most],
    }
    return found.map(each => outlineOf(each))
  }

  return {
    draw(range, size, nextLook) {
      look = nextLook
      const { chosen } = range
      const key = `${chosen?.startM} ${chosen?.endM} ${size.width} ${size.height} ${JSON.stringify(look)} ${devicePixelRatio}`
      if (key === drawnOf) return
      drawnOf = key
      host.dataset.of = chosen?.name ?? ''
      const data = second ? drawScatter(second, chosen, size) : drawHistogram(chosen)
      chart.batch(() => {
        if (size.width !== chart.width || size.height !== chart.height) chart.setSize(size)
        chart.setData(toData(data), false)
        chart.setScale('x', { min: bounds.x[0], max: bounds.x[1] })
        chart.setScale('y', { min: bounds.y[0], max: bounds.y[1] })
      })
    },
    mark({ index, isQuiet }) {
      lines.forEach(({ values, decimals }, i) => {
        chips[i]!.dataset.quiet = String(isQuiet)
        setText(chips[i]!, formatValue(values[index]!, decimals))
      })
      const x = chart.valToPos(first.values[index]!, 'x')
      const y = second ? chart.valToPos(second.values[index]!, 'y') : 0
      const isSeen = !isQuiet && Number.isFinite(x) && Number.isFinite(y)
      over.dataset.cursor = isSeen ? 'free' : 'none'
      if (isSeen) mark.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`
    },
    destroy() {
      stopGestures()
      chart.destroy()
    },
  }
}

function percents(_: uPlot, splits: number[]): string[] {
  return splits.map(share => `${share} %`)
}

/** Returns the upper corners of all bars, from left to right. */
function outlineOf(found: ReturnType<typeof histogram>): LinePoints {
  const bins = found?.shares.length ?? 0
  const x = new Float64Array(2 * bins)
  const y = new Float64Array(2 * bins)
  for (let bin = 0; bin < bins; bin++) {
    x[2 * bin] = found!.from + bin * found!.step
    x[2 * bin + 1] = x[2 * bin]! + found!.step
    y.fill(found!.shares[bin]!, 2 * bin, 2 * bin + 2)
  }
  return { x, y }
}

const pointPaths: uPlot.Series.PathBuilder = (chart, series) => {
  const fill = new Path2D()
  const side = POINT * devicePixelRatio
  eachPoint(chart, series, (x, y) => fill.rect(x - side / 2, y - side / 2, side, side))
  return { stroke: null as unknown as Path2D, fill, clip: null, band: null, flags: 0 }
}

const barPaths: uPlot.Series.PathBuilder = (chart, series) => {
  const path = new Path2D()
  const base = chart.bbox.top + chart.bbox.height
  let lastX = Number.NaN
  eachPoint(chart, series, (x, y) => {
    if (Number.isNaN(lastX)) path.moveTo(x, base)
    path.lineTo(x, y)
    lastX = x
  })
  if (!Number.isNaN(lastX)) path.lineTo(lastX, base)
  return { stroke: path, fill: path, clip: null, band: null, flags: 0 }
}

/** Calls back with each point of a series, in pixels of the canvas. */
function eachPoint(chart: uPlot, series: number, work: (x: number, y: number) => void) {
  const [xs, ys] = chart.data[series] as unknown as [Float64Array, Float64Array]
  for (let i = 0; i < xs.length; i++)
    work(chart.valToPos(xs[i]!, 'x', true), chart.valToPos(ys[i]!, 'y', true))
}
