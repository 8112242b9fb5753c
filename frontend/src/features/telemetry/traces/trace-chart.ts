import 'uplot/dist/uPlot.min.css'
import uPlot from 'uplot'
import { distanceLabels } from '#shared/drawing/distance-labels.ts'
import { steppedPath, straightPath, toData } from '#shared/drawing/line-paths.ts'
import type { LinePoints } from '#shared/drawing/min-max-decimate.ts'
import type { DrawingTokens } from '#shared/drawing/read-tokens.ts'
import type { DistanceRange } from '../distance-view-store.ts'
import { DISTANCE_HEIGHT, type TraceChannel } from './trace-channels.ts'
import type { LineRole } from './trace-lines.ts'

/** One chart of the stack. Only this file uses the chart library. */
export type TraceChart = ReturnType<typeof createTraceChart>

interface TraceChartOptions {
  readonly host: HTMLElement
  readonly channel: TraceChannel
  readonly roles: readonly LineRole[]
  /** The lowest chart shows the distance axis. */
  readonly hasDistanceAxis: boolean
  readonly tokens: DrawingTokens
}

/** In pixels. */
export interface ChartSize {
  readonly width: number
  readonly height: number
}

/** Pixels for the marks of the value axis. */
export const MARKS_WIDTH = 38

/** Pixels; half the height of a mark's text. */
const MARK_REACH = 6

/** Pixels; half the width of a distance's text. */
const DISTANCE_REACH = 22

const FONT = '11px "Inter Variable", system-ui, sans-serif'

export function createTraceChart(options: TraceChartOptions) {
  const { host, channel, roles, hasDistanceAxis } = options
  let tokens = options.tokens
  let range: DistanceRange = { minM: 0, maxM: 1 }
  let bounds: readonly [number, number] = [0, 1]
  const formatMark = channel.formatMark ?? channel.format
  const axisHeight = hasDistanceAxis ? DISTANCE_HEIGHT : 0

  const chart = new uPlot(
    {
      // Each line has its own x values, in any order: a lap can run backwards.
      mode: 2,
      width: Math.max(1, host.clientWidth),
      height: channel.height + axisHeight,
      padding: [0, 0, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, auto: false, range: () => [range.minM, range.maxM] },
        y: { auto: false, range: () => [bounds[0], bounds[1]] },
      },
      axes: [
        {
          scale: 'x',
          size: hasDistanceAxis ? DISTANCE_HEIGHT : 0,
          space: 64,
          gap: 4,
          font: FONT,
          stroke: () => tokens.muted,
          grid: { stroke: () => tokens.line, width: 1, dash: [2, 4] },
          ticks: { show: false },
          values: writeDistances,
        },
        {
          scale: 'y',
          size: MARKS_WIDTH,
          gap: 6,
          font: FONT,
          stroke: () => tokens.muted,
          grid: { stroke: () => tokens.line, width: 1 },
          ticks: { show: false },
          splits: () => [...channel.marks(bounds[0], bounds[1])],
          values: (self, splits) => splits.map(value => (fits(self, value) ? formatMark(value) : '')),
        },
      ],
      series: [
        {},
        ...roles.map(role => ({
          facets: [
            { scale: 'x', auto: false },
            { scale: 'y', auto: false },
          ],
          stroke: () => tokens[role === 'delta' ? 'lap' : role],
          width: 1.5,
          ...(role === 'reference' ? dashOf(tokens) : {}),
          ...(channel.fill && role !== 'reference' ? { fill: fillOf(channel.fill) } : {}),
          points: { show: false },
          paths: channel.isStepped ? steppedPath : straightPath,
        })),
      ],
    },
    toData(roles.map(() => ({ x: new Float64Array(0), y: new Float64Array(0) }))),
    host,
  )

  function fillOf(fill: NonNullable<TraceChannel['fill']>): uPlot.Series.Fill {
    return self => (fill === 'delta' ? lossAndGain(self, tokens) : faint(tokens[fill]))
  }

  /** Returns whether the chart's edge leaves the mark's text whole. */
  function fits(self: uPlot, value: number): boolean {
    const y = self.valToPos(value, 'y')
    return y >= MARK_REACH && y <= self.height - axisHeight - MARK_REACH
  }

  /** Returns the labels of the distances; empty if the canvas would cut the text off. */
  function writeDistances(self: uPlot, splits: number[]): string[] {
    return distanceLabels(splits).map((label, i) => {
      const x = MARKS_WIDTH + self.valToPos(splits[i]!, 'x')
      return hasDistanceAxis && x >= DISTANCE_REACH && x <= self.width - DISTANCE_REACH ? label : ''
    })
  }

  return {
    /**
     * Draws lines that are already reduced for the range, in the order of the roles at creation, with these bounds of
     * the value axis. `size` is that of its parent: reading it here would lay out the page again for each chart.
     */
    draw(
      lines: readonly LinePoints[],
      nextRange: DistanceRange,
      nextBounds: readonly [number, number],
      { width, height }: ChartSize,
    ) {
      range = nextRange
      bounds = nextBounds
      chart.batch(() => {
        if (width !== chart.width || height !== chart.height) chart.setSize({ width, height })
        chart.setData(toData(lines), false)
        chart.setScale('x', { min: range.minM, max: range.maxM })
        chart.setScale('y', { min: bounds[0], max: bounds[1] })
      })
    },
    setTokens(next: DrawingTokens) {
      tokens = next
      roles.forEach((role, i) => {
        if (role === 'reference') Object.assign(chart.series[i + 1]!, dashOf(tokens))
      })
      chart.redraw(false, true)
    },
    /** Returns pixels from the chart's upper edge to a value. */
    yOf: (value: number) => chart.valToPos(value, 'y'),
    destroy: () => chart.destroy(),
  }
}

/** Returns the dashes of the reference, if colours must not be the only difference. */
function dashOf(tokens: DrawingTokens): { readonly dash: number[] } {
  return { dash: tokens.isColourBlind ? [5, 3] : [] }
}

/** Returns a gradient with one colour above zero and another below, with a hard edge. */
function lossAndGain(chart: uPlot, tokens: DrawingTokens): CanvasGradient {
  const { top, height } = chart.bbox
  const zero = Math.min(1, Math.max(0, (chart.valToPos(0, 'y', true) - top) / height))
  const gradient = chart.ctx.createLinearGradient(0, top, 0, top + height)
  gradient.addColorStop(0, faint(tokens.loss))
  gradient.addColorStop(zero, faint(tokens.loss))
  gradient.addColorStop(zero, faint(tokens.gain))
  gradient.addColorStop(1, faint(tokens.gain))
  return gradient
}

function faint(colour: string): string {
  return `color-mix(in srgb, ${colour} 18%, transparent)`
}
