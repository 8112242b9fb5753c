import { findKeptSeries, SERIES_PREFIX } from '../laps/lap.repository.ts'
import type { SweepNeeds } from './sweep-needs.ts'

/**
 * Gives a search for series that no lap has: written by an attempt that never recorded. It goes through
 * the bucket a page a call, and then rests; only what is older than `orphanMs` is removed, since an attempt
 * writes series before its laps.
 */
export function removeOrphans({
  db,
  store,
  now,
  orphanMs,
}: Pick<SweepNeeds, 'db' | 'store' | 'now' | 'orphanMs'>) {
  let after: string | undefined
  let restsUntilMs = 0

  return async (): Promise<void> => {
    const nowMs = now().getTime()
    if (nowMs < restsUntilMs) return
    const { objects, next } = await store.list(SERIES_PREFIX, { after })
    const old = objects.filter(object => nowMs - object.modifiedAt.getTime() > orphanMs).map(({ key }) => key)
    if (old.length > 0) {
      const kept = await findKeptSeries(db, old)
      const orphans = old.filter(key => !kept.has(key))
      if (orphans.length > 0) await store.delete(orphans)
    }
    after = next ?? undefined
    if (next === null) restsUntilMs = nowMs + orphanMs / 4
  }
}
