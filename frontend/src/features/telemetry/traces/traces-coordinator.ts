import { everyFrame } from '#shared/drawing/every-frame.ts'
import { createFramePost, inTurns } from '#shared/drawing/in-turns.ts'
import { lineExtent, longestStep, minMaxDecimate } from '#shared/drawing/min-max-decimate.ts'
import { bindGestures } from '#shared/drawing/pointer-gestures.ts'
import { readTokens, watchTokens } from '#shared/drawing/read-tokens.ts'
import { setText } from '#shared/drawing/set-text.ts'
import { watchPixelRatio } from '#shared/drawing/watch-pixel-ratio.ts'
import type { SpeedUnit } from '#shared/preferences/units.ts'
import { describeSlider } from '../cursor-slider.ts'
import type { CursorStore } from '../cursor-store.ts'
import {
  type DistanceRange,
  type DistanceViewStore,
  followDistance,
  panDistance,
  rangeBetween,
  zoomDistance,
} from '../distance-view-store.ts'
import { clockOf } from '../lap-clock.ts'
import { deltaSign, type LapComparison } from '../lap-comparison.ts'
import { nearestAtDistance } from '../lap-distance.ts'
import { type LapSeries, rowInLap } from '../lap-series.ts'
import { rowAtTime, valueAtRow } from '../lap-time.ts'
import { keepTabStop } from '../tab-stop.ts'
import { type CornerElements, positionCorners, positionIncidents } from './corner-lines.ts'
import { bindRangeDrag } from './range-drag.ts'
import { DISTANCE_HEIGHT, type TraceChannel } from './trace-channels.ts'
import { type ChartSize, createTraceChart, MARKS_WIDTH, type TraceChart } from './trace-chart.ts'
import { type TraceLine, traceLines } from './trace-lines.ts'

/** Decides what the charts redraw, and turns pointer events into cursor and view. */
export type TracesCoordinator = ReturnType<typeof createTracesCoordinator>

/** The elements of one chart's row. */
interface TraceRow {
  readonly channel: TraceChannel
  /** The parent of the chart. */
  readonly plot: HTMLElement
  /** The lap's own value at the cursor, and the mark there on its line. */
  readonly own: ReadingElements
  /** The same for the reference; undefined without one. */
  readonly reference?: ReadingElements
}

interface ReadingElements {
  readonly chip: HTMLElement
  readonly dot: HTMLElement
}

interface TracesElements {
  readonly stack: HTMLElement
  readonly rows: readonly TraceRow[]
  /** Covers all plots; receives focus and pointer events. */
  readonly surface: HTMLElement
  readonly cursorLine: HTMLElement
  /** Where the reference is while the clock is on; undefined without one. */
  readonly ghostLine: HTMLElement | undefined
  /** Covers the distances below the plots. */
  readonly distanceAxis: HTMLElement
  /** Marks what a drag along the distances would show. */
  readonly selection: HTMLElement
  /** Undefined without corners. */
  readonly corners?: CornerElements
  /** The marks of the comparison's incidents, in their order. */
  readonly incidents: readonly HTMLElement[]
}

/** What is drawn, and in which unit. */
interface TracesSubject {
  readonly main: LapSeries
  readonly comparison: LapComparison | null
  readonly speedUnit: SpeedUnit
}

interface DrawnRow extends TraceRow {
  readonly lines: readonly TraceLine[]
}

export function createTracesCoordinator(
  elements: TracesElements,
  { main, comparison, speedUnit }: TracesSubject,
  cursor: CursorStore,
  view: DistanceViewStore,
) {
  const { stack, surface, cursorLine, ghostLine, distanceAxis, selection, corners, incidents } = elements
  const lines = traceLines(main, comparison)
  const { full, metres } = lines.distance
  const clock = clockOf(cursor)
  const rows: readonly DrawnRow[] = elements.rows.map(row => ({ ...row, lines: lines.of(row.channel) }))
  /** Every line with the elements for its value. A flat list, because each cursor tick loops over it. */
  const readings = rows.flatMap(({ channel, own, reference, lines }, chart) =>
    lines.map(line => ({ line, channel, chart, elements: line.role === 'reference' ? reference! : own })),
  )
  const values = new Float64Array(readings.length)
  // Read once: each read would force a style update after the changes of the chart before.
  let tokens = readTokens()
  const charts: TraceChart[] = []
  let isDestroyed = false
  /** The time of the clock to which the view was moved last. */
  let followedS: number | null = null
  let plotWidth = 0
  let dotBase: readonly number[] = []
  let plotSizes: readonly ChartSize[] = []

  // One chart a task: all of them in one would block the page for longer than 50 ms.
  let nextChart = setTimeout(function createNext() {
    charts.push(createChart(rows[charts.length]!, charts.length))
    if (charts.length < rows.length) nextChart = setTimeout(createNext)
    else layOut()
  })

  function createChart(row: DrawnRow, i: number): TraceChart {
    return createTraceChart({
      host: row.plot,
      channel: row.channel,
      roles: row.lines.map(line => line.role),
      hasDistanceAxis: i === rows.length - 1,
      tokens,
    })
  }

  // Another lap of the same track keeps the shown part, unless the lap does not reach it.
  const shown = view.get()
  if (shown && (shown.minM < full.minM || shown.maxM > full.maxM)) view.set(null)

  const range = (): DistanceRange => view.get() ?? full
  const perPixel = () => (range().maxM - range().minM) / plotWidth

  const drawLines = everyFrame(() => {
    if (plotWidth <= 0) return
    drawCharts()
    placeMarks()
  })

  const drawCharts = inTurns(rows.length, drawChart, () => drawCursor())

  // A canvas of another size costs more than a drawing, so they change one a frame. Until then the row stretches them.
  const resizeCharts = inTurns(rows.length, drawChart, () => drawCursor(), createFramePost())

  function placeMarks() {
    const { minM, maxM } = range()
    if (corners && comparison) {
      positionCorners(corners, comparison.corners, { minM, maxM }, plotWidth)
      keepTabStop(corners.strip)
    }
    if (comparison) positionIncidents(incidents, comparison.incidents, { minM, maxM }, plotWidth)
    drawCursor()
  }

  function drawChart(i: number) {
    const { minM, maxM } = range()
    const window = {
      min: minM,
      max: maxM,
      columns: Math.round(plotWidth * devicePixelRatio),
      maxStep: longestStep(full.maxM - full.minM),
    }
    const { lines, channel } = rows[i]!
    const seen = lines.map(line => minMaxDecimate(line.metres, line.values, window))
    charts[i]!.draw(
      seen,
      { minM, maxM },
      channel.range(...(lineExtent(seen, minM, maxM) ?? [0, 1])),
      plotSizes[i]!,
    )
  }

  const drawCursor = everyFrame(() => {
    const row = rowInLap(cursor.get().row, main.lap)
    describeSlider(surface, main, row, speedUnit, comparison)
    // Without a cursor the chips show the lap's first row, as the gauges do, but in muted colours.
    const at = row ?? main.lap.row_start
    for (let i = 0; i < readings.length; i++) {
      const { line, channel, elements } = readings[i]!
      values[i] = line.valueAt(at)
      writeChip(elements.chip, channel, values[i]!, row === null)
    }
    const { timeS } = clock.get()
    const metre = metres[at - main.lap.row_start]!
    // A driver who pauses may look elsewhere.
    if (timeS !== null && timeS !== followedS) follow(metre)
    followedS = timeS
    const x = (metre - range().minM) / perPixel()
    if (ghostLine && comparison) {
      const { reference, lengthM } = comparison
      ghostLine.hidden = timeS === null
      const share = timeS === null ? 0 : valueAtRow(reference.preview.lapDistPct, rowAtTime(reference, timeS))
      const ghostX = (share * lengthM - range().minM) / perPixel()
      ghostLine.style.transform = `translateX(${ghostX.toFixed(1)}px)`
    }
    const isSeen = row !== null && plotWidth > 0 && x >= -1 && x <= plotWidth + 1
    surface.dataset.cursor = isSeen ? (cursor.get().locked ? 'locked' : 'free') : 'none'
    if (!isSeen) return
    cursorLine.style.transform = `translateX(${x.toFixed(1)}px)`
    for (let i = 0; i < readings.length; i++) {
      const { chart, elements } = readings[i]!
      const { dot } = elements
      const y = dotBase[chart]! + charts[chart]!.yOf(values[i]!)
      dot.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`
      dot.hidden = !Number.isFinite(y)
    }
  })

  function follow(metre: number) {
    const { minM, maxM } = range()
    const isSeen = metre >= minM && metre <= maxM
    if (!isSeen || clock.get().isPlaying) view.set(followDistance(view.get(), full, metre))
  }

  function layOut() {
    if (charts.length < rows.length) return
    const stackBox = stack.getBoundingClientRect()
    const first = rows[0]?.plot.getBoundingClientRect()
    const last = rows.at(-1)?.plot.getBoundingClientRect()
    if (!first || !last || first.width === 0) return
    const isFirst = plotWidth === 0
    const plotLeft = first.left - stackBox.left + MARKS_WIDTH
    plotWidth = first.width - MARKS_WIDTH
    dotBase = rows.map(row => row.plot.getBoundingClientRect().top - first.top)
    plotSizes = rows.map(({ plot }) => ({ width: plot.clientWidth, height: plot.clientHeight }))
    surface.style.left = `${plotLeft}px`
    surface.style.width = `${plotWidth}px`
    surface.style.top = `${first.top - stackBox.top}px`
    surface.style.height = `${last.bottom - first.top - DISTANCE_HEIGHT}px`
    Object.assign(distanceAxis.style, {
      left: `${plotLeft}px`,
      width: `${plotWidth}px`,
      top: `${last.bottom - stackBox.top - DISTANCE_HEIGHT}px`,
      height: `${DISTANCE_HEIGHT}px`,
    })
    if (corners) {
      corners.strip.style.left = `${plotLeft}px`
      corners.strip.style.width = `${plotWidth}px`
    }
    if (isFirst) return drawLines()
    placeMarks()
    resizeCharts()
  }

  function zoomAround(factor: number, metre: number): boolean {
    const before = view.get()
    view.set(zoomDistance(range(), full, factor, metre))
    return view.get() !== before
  }

  const metreAt = (x: number) => range().minM + x * perPixel()

  function rowAt(x: number): number | null {
    const at = nearestAtDistance(metres, metreAt(x))
    return at < 0 ? null : main.lap.row_start + at
  }

  const sizes = new ResizeObserver(layOut)
  sizes.observe(stack)
  surface.style.touchAction = 'pan-y'
  // A canvas does not wait for the page's font, so the first picture can lack it.
  document.fonts.ready.then(() => !isDestroyed && drawLines())
  const endings = [
    () => sizes.disconnect(),
    watchPixelRatio(layOut),
    cursor.subscribe(drawCursor),
    // Between two rows only the clock moves.
    clock.subscribe(drawCursor),
    view.subscribe(drawLines),
    watchTokens(changed => {
      tokens = changed
      for (const chart of charts) chart.setTokens(tokens)
    }),
    bindGestures(surface, {
      hover: point => cursor.hover(point && rowAt(point.x)),
      click: point => cursor.toggleLock(rowAt(point.x)),
      pan(byX) {
        if (view.get()) view.set(panDistance(range(), full, -byX * perPixel()))
      },
      zoom: (factor, { x }) => zoomAround(factor, metreAt(x)),
      reset: () => view.set(null),
      fingerPans: () => false,
    }),
    bindRangeDrag(distanceAxis, {
      show(part) {
        selection.hidden = part === null
        if (!part) return
        const [left, right] = [part.fromX, part.toX].sort((a, b) => a - b) as [number, number]
        selection.style.transform = `translateX(${left.toFixed(1)}px)`
        selection.style.width = `${(right - left).toFixed(1)}px`
      },
      choose: (fromX, toX) => view.set(rangeBetween(metreAt(fromX), metreAt(toX), full)),
    }),
    drawLines.cancel,
    drawCharts.stop,
    resizeCharts.stop,
    drawCursor.cancel,
    () => clearTimeout(nextChart),
    () => {
      for (const chart of charts) chart.destroy()
    },
  ]

  return {
    /** Zooms around the cursor, or around the middle if no cursor is visible. */
    zoomBy(factor: number) {
      const { minM, maxM } = range()
      const row = rowInLap(cursor.get().row, main.lap)
      const metre = row === null ? Number.NaN : metres[row - main.lap.row_start]!
      zoomAround(factor, metre >= minM && metre <= maxM ? metre : (minM + maxM) / 2)
    },
    destroy() {
      isDestroyed = true
      for (const end of endings) end()
    },
  }
}

function writeChip(chip: HTMLElement, channel: TraceChannel, value: number, isQuiet: boolean) {
  const isKnown = Number.isFinite(value)
  const text = isKnown ? channel.format(value) : '–'
  setText(chip, text)
  chip.dataset.quiet = String(isQuiet)
  if (channel.series === 'delta') chip.dataset.sign = isKnown && !isQuiet ? deltaSign(value) : 'even'
}
