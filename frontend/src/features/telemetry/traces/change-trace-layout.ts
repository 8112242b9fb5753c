import type { Series, TraceEntry } from './trace-layout.ts'

/** Returns the text that `parseTraceLayout` accepts. */
export function formatTraceLayout(entries: readonly TraceEntry[]): string {
  return entries
    .map(({ series, isHidden, size }) => `${isHidden ? '-' : ''}${series}${size === 1 ? '' : `*${size}`}`)
    .join(',')
}

/** Returns the entries with one of them moved by a step among those that `isSeen` names; the same at an end. */
export function moveTrace(
  entries: readonly TraceEntry[],
  series: Series,
  step: -1 | 1,
  isSeen: (series: Series) => boolean,
): readonly TraceEntry[] {
  const from = entries.findIndex(entry => entry.series === series)
  let to = from + step
  while (entries[to] && !isSeen(entries[to]!.series)) to += step
  if (!entries[to]) return entries
  return entries.toSpliced(from, 1).toSpliced(to, 0, entries[from]!)
}
