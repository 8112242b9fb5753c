import type { DistanceRange } from '../distance-view-store.ts'
import type { CornerPosition, IncidentPosition } from '../lap-comparison.ts'

/** The elements of a comparison's corners, in their order: a button above the charts, a line through them. */
export interface CornerElements {
  /** Holds the buttons; as wide as the plots. */
  readonly strip: HTMLElement
  readonly numbers: readonly HTMLElement[]
  readonly lines: readonly HTMLElement[]
}

/** Pixels. A contact takes no distance, but its mark must be seen. */
const MIN_MARK = 3

/** Moves the marks of incidents over their part of the lap, and hides those outside the range. */
export function positionIncidents(
  marks: readonly HTMLElement[],
  incidents: readonly IncidentPosition[],
  { minM, maxM }: DistanceRange,
  widthPx: number,
) {
  const perM = widthPx / (maxM - minM)
  incidents.forEach(({ startM, endM }, i) => {
    const mark = marks[i]!
    const x = (startM - minM) * perM
    const width = Math.max(MIN_MARK, (endM - startM) * perM)
    mark.hidden = x + width < 0 || x > widthPx
    mark.style.transform = `translateX(${x.toFixed(1)}px)`
    mark.style.width = `${width.toFixed(1)}px`
    // The words stay inside the plot.
    mark.dataset.side = x > widthPx / 2 ? 'left' : 'right'
  })
}

/** Pixels between two buttons. If they are nearer, the second one is hidden. */
const NUMBER_SPACE = 24

/** Moves numbers and lines to the apexes, and hides those outside the range. */
export function positionCorners(
  { numbers, lines }: CornerElements,
  corners: readonly CornerPosition[],
  { minM, maxM }: DistanceRange,
  widthPx: number,
) {
  let lastX = Number.NEGATIVE_INFINITY
  corners.forEach(({ apexM }, i) => {
    const number = numbers[i]!
    const line = lines[i]!
    const x = ((apexM - minM) / (maxM - minM)) * widthPx
    line.hidden = !(x >= 0 && x <= widthPx)
    number.hidden = line.hidden || x - lastX < NUMBER_SPACE
    if (!line.hidden) line.style.transform = `translateX(${x.toFixed(1)}px)`
    if (number.hidden) return
    number.style.transform = `translateX(calc(${x.toFixed(1)}px - 50%))`
    lastX = x
  })
}
