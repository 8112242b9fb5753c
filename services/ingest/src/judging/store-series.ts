import type { ObjectStore } from '@lapwing/object-store'
import { seriesKey } from '../laps/lap.repository.ts'
import type { LapSeries } from './judged-file.ts'

/** Writes the series of a file's best laps to the bucket. Overwrites objects that exist already. */
export async function storeSeries(
  store: Pick<ObjectStore, 'put'>,
  series: readonly LapSeries[],
  signal: AbortSignal,
): Promise<void> {
  const next = series.values()
  const putNext = async () => {
    for (const one of next) {
      signal.throwIfAborted()
      await store.put(seriesKey(one), one.body, seriesType)
    }
  }
  await Promise.all(Array.from({ length: PUTS_AT_ONCE }, putNext))
}

const PUTS_AT_ONCE = 4

export const seriesType = { contentType: 'application/x-protobuf', contentEncoding: 'gzip' } as const
