import uPlot from 'uplot'
import { distanceLabels } from '#shared/drawing/distance-labels.ts'
import { steppedPath, straightPath, toData } from '#shared/drawing/line-paths.ts'
import { lineExtent, longestStep, minMaxDecimate } from '#shared/drawing/min-max-decimate.ts'
import { bindGestures } from '#shared/drawing/pointer-gestures.ts'
import { setText } from '#shared/drawing/set-text.ts'
import type { CursorPlace, DeckChart } from './chart-deck.ts'
import { type ChartLook, dashOf, FONT } from './chart-look.ts'
import { formatValue } from './drawn-unit.ts'
import { padded } from './histogram.ts'
import type { LapViews, ShownRange } from './lap-views.ts'

/** One channel of a chart, over the lap. */
export interface DrawnLine {
  readonly label: string
  readonly unit: string
  readonly isStepped: boolean
  readonly values: Float64Array
  /** The same of the reference lap; null without one. */
  readonly reference: Float64Array | null
  /** Its colour of `ChartLook.channels`; null is the colour of the driver's lap. */
  readonly colour: number | null
  /** The left or the right axis. */
  readonly scale: 'y' | 'y2'
  /** Of the written values. */
  readonly decimals: number
}

interface LinesChartOptions {
  readonly host: HTMLElement
  /** Elements for the value of each line at the cursor. */
  readonly chips: readonly HTMLElement[]
  readonly lines: readonly DrawnLine[]
  readonly views: LapViews
  /** Whether distances are written below the chart, and the arrow keys move the cursor on it. */
  readonly isMain: boolean
  /** Extent of the value axis that several charts share; null for one of its own. */
  readonly sharedExtent: ((range: ShownRange) => readonly [number, number]) | null
}

const AXIS_WIDTH = 46
const DISTANCES_HEIGHT = 22
/** Pixels; half the width of a distance's text. */
const DISTANCE_REACH = 22

/** Draws channels over the lap's distance, with up to two value axes. */
export function createLinesChart(
  { host, chips, lines, views, isMain, sharedExtent }: LinesChartOptions,
  firstLook: ChartLook,
): DeckChart {
  let look = firstLook
  let range: ShownRange = views.full
  const bounds = { y: [0, 1] as [number, number], y2: [0, 1] as [number, number] }
  const { lap, reference, full } = views
  const hasRight = lines.some(({ scale }) => scale === 'y2')
  const scales = hasRight ? (['y', 'y2'] as const) : (['y'] as const)
  const maxStep = longestStep(full.maxM - full.minM)
  /** In drawing order: the driver's own lines come last, on top. */
  const drawn = [
    ...lines.flatMap((line, order) =>
      line.reference && reference
        ? { line, order, metres: reference.metres, values: line.reference, isReference: true }
        : [],
    ),
    ...lines.map((line, order) => ({
      line,
      order,
      metres: lap.metres,
      values: line.values,
      isReference: false,
    })),
  ]

  const chart = new uPlot(
    {
      // Each line has its own x values, in any order: a lap can run backwards.
      mode: 2,
      width: 100,
      height: 100,
      padding: [4, hasRight ? 0 : 8, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, auto: false, range: () => [range.minM, range.maxM] },
        y: { auto: false, range: () => bounds.y },
        ...(hasRight ? { y2: { auto: false, range: () => bounds.y2 } } : {}),
      },
      axes: [
        {
          scale: 'x',
          size: isMain ? DISTANCES_HEIGHT : 4,
          space: 64,
          gap: 4,
          font: FONT,
          stroke: () => look.tokens.muted,
          grid: { stroke: () => look.tokens.line, width: 1, dash: [2, 4] },
          ticks: { show: false },
          values: (self, splits) =>
            distanceLabels(splits).map((label, i) => {
              const x = AXIS_WIDTH + self.valToPos(splits[i]!, 'x')
              return isMain && x >= DISTANCE_REACH && x <= self.width - DISTANCE_REACH ? label : ''
            }),
        },
        valueAxis('y', 3),
        ...(hasRight ? [valueAxis('y2', 1)] : []),
      ],
      series: [
        {},
        ...drawn.map(({ line, order, isReference }) => ({
          facets: [
            { scale: 'x', auto: false },
            { scale: line.scale, auto: false },
          ],
          stroke: () => (isReference ? look.tokens.reference : colourOf(line)),
          width: 1.5,
          dash: isReference ? dashOf(look, order + 1) : dashOf(look, order),
          points: { show: false },
          paths: line.isStepped ? steppedPath : straightPath,
        })),
      ],
    },
    toData(drawn.map(() => ({ x: new Float64Array(0), y: new Float64Array(0) }))),
    host,
  )

  function valueAxis(scale: 'y' | 'y2', side: 1 | 3): uPlot.Axis {
    return {
      scale,
      side,
      size: AXIS_WIDTH,
      space: 26,
      gap: 6,
      font: FONT,
      stroke: () => (hasRight ? axisColour(scale) : look.tokens.muted),
      grid: side === 3 ? { stroke: () => look.tokens.line, width: 1 } : { show: false },
      ticks: { show: false },
    }
  }

  /** The colour of an axis with a single line, so that it is seen which axis a line belongs to. */
  function axisColour(scale: 'y' | 'y2'): string {
    const own = lines.filter(line => line.scale === scale)
    return own.length === 1 ? colourOf(own[0]!) : look.tokens.muted
  }

  function colourOf({ colour }: DrawnLine): string {
    return colour === null ? look.tokens.lap : look.channels[colour]!
  }

  const { over } = chart
  over.classList.add('channels-over')
  over.style.touchAction = 'pan-y'
  const cursorLine = over.appendChild(document.createElement('div'))
  cursorLine.className = 'channels-cursor'
  const dots = lines.map(() => {
    const dot = over.appendChild(document.createElement('div'))
    dot.className = 'channels-dot'
    return dot
  })
  let last: CursorPlace = { index: 0, referenceIndex: null, isQuiet: true }
  if (isMain) {
    over.role = 'slider'
    over.tabIndex = 0
    over.ariaLabel = `${lap.name}, ${lines.map(({ label }) => label).join(', ')}`
    over.ariaValueMin = '0'
    over.ariaValueMax = '100'
    over.ariaValueNow = '0'
    over.addEventListener('focus', () => describe(last))
    over.addEventListener('keydown', views.onKeyDown)
  }

  /** The words cost time, so only the chart with the focus has those of the cursor. */
  function describe({ index }: CursorPlace) {
    const metre = lap.metres[index]!
    over.ariaValueNow = ((100 * (metre - full.minM)) / (full.maxM - full.minM)).toFixed(1)
    const words = lines.map(
      ({ label, values, unit, decimals }) => `${label} ${formatValue(values[index]!, decimals)} ${unit}`,
    )
    over.ariaValueText = [`${Math.round(metre)} m`, ...words].join(', ')
  }

  const metreAt = (x: number) => chart.posToVal(x, 'x')
  const rowAt = (x: number) => views.rowAt(metreAt(x))
  const stopGestures = bindGestures(over, {
    hover: point => views.cursor.hover(point && rowAt(point.x)),
    click: point => views.cursor.toggleLock(rowAt(point.x)),
    pan: byX => views.pan(metreAt(0) - metreAt(byX)),
    zoom: (factor, { x }) => views.zoom(factor, metreAt(x)),
    reset: views.reset,
    fingerPans: () => false,
  })

  return {
    draw(nextRange, size, nextLook) {
      range = nextRange
      look = nextLook
      const window = {
        min: range.minM,
        max: range.maxM,
        columns: Math.max(1, Math.round((size.width - AXIS_WIDTH * (hasRight ? 2 : 1)) * devicePixelRatio)),
        maxStep,
      }
      const seen = drawn.map(({ metres, values }) => minMaxDecimate(metres, values, window))
      for (const scale of scales) {
        const own = seen.filter((_, i) => drawn[i]!.line.scale === scale)
        bounds[scale] = padded(sharedExtent?.(range) ?? lineExtent(own, range.minM, range.maxM) ?? [0, 1])
      }
      drawn.forEach(({ order, isReference }, i) => {
        Object.assign(chart.series[i + 1]!, { dash: dashOf(look, isReference ? order + 1 : order) })
      })
      chart.batch(() => {
        if (size.width !== chart.width || size.height !== chart.height) chart.setSize(size)
        chart.setData(toData(seen), false)
        chart.setScale('x', { min: range.minM, max: range.maxM })
        for (const scale of scales) {
          chart.setScale(scale, { min: bounds[scale][0], max: bounds[scale][1] })
        }
      })
      lines.forEach((line, i) => {
        dots[i]!.style.background = colourOf(line)
      })
    },
    mark(place) {
      last = place
      const { index, referenceIndex, isQuiet } = place
      lines.forEach(({ values, reference: others, decimals }, i) => {
        const own = formatValue(values[index]!, decimals)
        const chip = chips[i]!
        chip.dataset.quiet = String(isQuiet)
        setText(
          chip,
          others && referenceIndex !== null
            ? `${own} / ${formatValue(others[referenceIndex]!, decimals)}`
            : own,
        )
      })
      const metre = lap.metres[index]!
      const isSeen = !isQuiet && metre >= range.minM && metre <= range.maxM
      over.dataset.cursor = isSeen ? (views.cursor.get().locked ? 'locked' : 'free') : 'none'
      if (over === document.activeElement) describe(place)
      if (!isSeen) return
      const x = chart.valToPos(metre, 'x')
      cursorLine.style.transform = `translateX(${x.toFixed(1)}px)`
      lines.forEach(({ values, scale }, i) => {
        const y = chart.valToPos(values[index]!, scale)
        dots[i]!.hidden = !Number.isFinite(y)
        dots[i]!.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`
      })
    },
    destroy() {
      stopGestures()
      chart.destroy()
    },
  }
}
