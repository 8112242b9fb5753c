import type { ObjectStore } from '@lapwing/object-store'
import pLimit from 'p-limit'
import { seriesKey } from '../laps/lap.repository.ts'
import type { LapSeries } from './judged-file.ts'

/** Writes the series of a file's best laps to the bucket. Overwrites objects that exist already. */
export async function storeSeries(
  store: Pick<ObjectStore, 'put'>,
  series: readonly LapSeries[],
  signal: AbortSignal,
): Promise<void> {
  await pLimit(PUTS_AT_ONCE).map(series, one => {
    signal.throwIfAborted()
    return store.put(seriesKey(one), one.body, seriesType)
  })
}

const PUTS_AT_ONCE = 4

const seriesType = { contentType: 'application/x-protobuf', contentEncoding: 'gzip' } as const
