import { formatLapTime } from '@lapwing/telemetry'
import type uPlot from 'uplot'
import { dayOf } from './library-entry.ts'
import type { ProgressPoint } from './progress.ts'

type Tokens = Readonly<Record<'muted' | 'line' | 'lap' | 'accent' | 'card', string>>

/** The chart library with the colours of the theme. The view of a session loads both. */
export interface ChartParts {
  readonly Chart: typeof uPlot
  readonly readTokens: () => Tokens
  readonly watchTokens: (onChange: (tokens: Tokens) => void) => () => void
}

const FONT = '11px "Inter Variable", system-ui, sans-serif'
const HEIGHT = 220
/** Pixels around a point that belong to it. */
const REACH = 24

/**
 * Draws best and median lap over the sessions, evenly spaced, so that a busy week is as readable as a quiet month. A
 * press on a point opens its session. Returns the function that removes the chart.
 */
export function drawProgress(
  { Chart, readTokens, watchTokens }: ChartParts,
  host: HTMLElement,
  points: readonly ProgressPoint[],
  onOpen: (point: ProgressPoint) => void,
): () => void {
  let tokens = readTokens()
  const chart = new Chart(
    {
      width: Math.max(1, host.clientWidth),
      height: HEIGHT,
      padding: [12, 16, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { size: 10 } },
      scales: {
        x: { time: false, range: () => [-0.5, points.length - 0.5] },
        y: { range: () => rangeOf(points) },
      },
      axes: [
        {
          font: FONT,
          stroke: () => tokens.muted,
          grid: { show: false },
          ticks: { show: false },
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000],
          space: 84,
          size: 28,
          values: (_, splits) => splits.map(at => (points[at] ? dayOf(points[at].entry) : '')),
        },
        {
          font: FONT,
          size: 64,
          stroke: () => tokens.muted,
          grid: { stroke: () => tokens.line, width: 1 },
          ticks: { show: false },
          values: (_, splits) => splits.map(s => formatLapTime(s)),
        },
      ],
      series: [
        {},
        { stroke: () => tokens.muted, width: 1.5, dash: [4, 4], points: { show: false } },
        {
          stroke: () => tokens.lap,
          width: 1.5,
          points: { show: true, size: 6, fill: () => tokens.lap, stroke: () => tokens.lap },
        },
        {
          stroke: () => tokens.accent,
          paths: () => null,
          points: { show: true, size: 10, width: 2, fill: () => tokens.card, stroke: () => tokens.accent },
        },
      ],
    },
    [
      points.map((_, at) => at),
      points.map(({ medianS }) => medianS),
      points.map(({ bestS }) => bestS),
      points.map(({ bestS, isRecord }) => (isRecord ? bestS : null)),
    ],
    host,
  )
  const press = () => {
    const { idx, left } = chart.cursor
    if (idx == null || left == null) return
    if (Math.abs(chart.valToPos(idx, 'x') - left) <= REACH) onOpen(points[idx]!)
  }
  chart.over.addEventListener('click', press)
  const stopTokens = watchTokens(next => {
    tokens = next
    chart.redraw()
  })
  const size = new ResizeObserver(() =>
    chart.setSize({ width: Math.max(1, host.clientWidth), height: HEIGHT }),
  )
  size.observe(host)
  return () => {
    size.disconnect()
    stopTokens()
    chart.destroy()
  }
}

/** Seconds from the best lap to the slowest median, with some room; never a range in which a hundredth looks large. */
function rangeOf(points: readonly ProgressPoint[]): [from: number, to: number] {
  const least = Math.min(...points.map(({ bestS }) => bestS))
  const most = Math.max(...points.map(({ medianS }) => medianS))
  const room = Math.max(0.5, (most - least) * 0.1)
  return [least - room, most + room]
}
