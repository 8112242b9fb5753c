import type { TraceChannel } from './trace-channels.ts'

export type Series = TraceChannel['series']

/** How one chart is shown. */
export interface TraceEntry {
  readonly series: Series
  readonly isHidden: boolean
  /** How many times the chart is as high as by default. */
  readonly size: TraceSize
}

export const TRACE_SIZES = [1, 2, 3] as const
export type TraceSize = (typeof TRACE_SIZES)[number]

/**
 * Returns one entry for each of `all`, in the order that the text states. The text lists charts by name, `-` before a
 * hidden one and `*2` after a taller one, such as `speed*2,-rpm`. A chart that it does not name is shown at its
 * place in `all`. Accepts any text: people edit their storage.
 */
export function parseTraceLayout(text: string, all: readonly Series[]): TraceEntry[] {
  const entries: TraceEntry[] = []
  for (const word of text.split(',')) {
    const [, minus, name, size] = /^(-?)(\w+)(?:\*(\d))?$/.exec(word) ?? []
    const series = all.find(each => each === name)
    if (series === undefined || entries.some(entry => entry.series === series)) continue
    const known = TRACE_SIZES.find(each => String(each) === size)
    entries.push({ series, isHidden: minus === '-', size: known ?? 1 })
  }
  all.forEach((series, place) => {
    const isNamed = entries.some(entry => entry.series === series)
    if (!isNamed) entries.splice(place, 0, { series, isHidden: false, size: 1 })
  })
  return entries
}

/** Returns the charts to draw, in order and as high as chosen. If all are hidden, all are drawn. */
export function arrangeTraces(channels: readonly TraceChannel[], text: string): readonly TraceChannel[] {
  const entries = parseTraceLayout(
    text,
    channels.map(({ series }) => series),
  )
  const shown = entries.filter(entry => !entry.isHidden)
  return (shown.length > 0 ? shown : entries).map(({ series, size }) => {
    const channel = channels.find(each => each.series === series)!
    return { ...channel, height: channel.height * size }
  })
}
