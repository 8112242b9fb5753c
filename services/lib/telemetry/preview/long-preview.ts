import type { ByteSource } from '../byte-source.ts'
import { MAX_PREVIEW_ROWS } from '../ibt/limits.ts'
import { openIbt } from '../ibt/open-ibt.ts'
import { readColumns } from '../ibt/read-columns.ts'
import type { Lap } from '../laps/lap.ts'
import type { Preview, PreviewOptions, PreviewSeries, SeriesName } from './preview.ts'
import { PREVIEW_CHANNELS } from './preview-channels.ts'
import { assertHasLapChannels, PREVIEW_COLUMNS, previewOfAnyLength } from './preview-session.ts'

/**
 * Reads the preview of a session of any size, up to the `MAX_ROWS` of a file. Laps are found and judged in all rows,
 * as `previewSession` does. Then the series keep one row in two, in three and so on, until at most about
 * `MAX_PREVIEW_ROWS` are left: see `thinOut`. Rejects as `previewSession` does.
 *
 * Memory: up to 180 bytes a row while it reads, then 57 bytes for each row that is left.
 */
export async function previewLongSession(source: ByteSource, options: PreviewOptions = {}): Promise<Preview> {
  const file = await openIbt(source)
  assertHasLapChannels(file)
  return thinOut(previewOfAnyLength(file, await readColumns(file, PREVIEW_COLUMNS, options)))
}

/**
 * Returns a preview with fewer rows if it has more than `mostRows`. Each lap and each incident keeps its first and
 * last row, so times, verdicts and lines stay. Their rows are those of the shorter series; `fileLaps` has the old ones.
 */
export function thinOut(preview: Preview, mostRows = MAX_PREVIEW_ROWS): Preview {
  const rows = preview.sessionTime.length
  if (rows <= mostRows) return preview
  const every = Math.ceil(rows / mostRows)
  const isKept = new Uint8Array(rows)
  for (let row = 0; row < rows; row += every) isKept[row] = 1
  for (const { row_start, row_end, incidents } of preview.laps) {
    for (const part of [{ row_start, row_end }, ...incidents])
      isKept[part.row_start] = isKept[part.row_end] = 1
  }
  const kept = keptRows(isKept)
  const shorter = (part: { readonly row_start: number; readonly row_end: number }) => ({
    row_start: indexOf(kept, part.row_start),
    row_end: indexOf(kept, part.row_end),
  })
  return {
    ...preview,
    ...pick(preview, kept),
    laps: preview.laps.map((lap): Lap => {
      const incidents = lap.incidents.map(incident => ({ ...incident, ...shorter(incident) }))
      return { ...lap, ...shorter(lap), incidents }
    }),
    fileLaps: preview.laps,
    meta: { ...preview.meta, sample_rate_hz: preview.meta.sample_rate_hz / every },
  }
}

function keptRows(isKept: Uint8Array): Int32Array {
  let count = 0
  for (let row = 0; row < isKept.length; row++) count += isKept[row]!
  const kept = new Int32Array(count)
  count = 0
  for (let row = 0; row < isKept.length; row++) if (isKept[row] === 1) kept[count++] = row
  return kept
}

/** Returns the index of a row that is in the ascending list. */
function indexOf(rows: Int32Array, row: number): number {
  let low = 0
  let high = rows.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (rows[middle]! < row) low = middle + 1
    else high = middle
  }
  return low
}

function pick(preview: PreviewSeries, rows: Int32Array): PreviewSeries {
  const names = Object.keys(PREVIEW_CHANNELS) as SeriesName[]
  const series = names.map(name => {
    const all = preview[name]
    const some = new (all.constructor as new (length: number) => typeof all)(rows.length)
    for (let i = 0; i < rows.length; i++) some[i] = all[rows[i]!]!
    return [name, some]
  })
  return Object.fromEntries(series) as unknown as PreviewSeries
}
