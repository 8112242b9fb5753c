import { findStoredSeries, SERIES_PREFIX } from '../laps/lap.repository.ts'
import type { SweepNeeds } from './sweep-needs.ts'

/**
 * Creates a sweep for series without a lap: an attempt wrote them and never recorded. Each call checks one
 * page of the bucket; after the last page it pauses. Only objects older than `orphanMs` are removed, because
 * an attempt writes series before its laps.
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
      const kept = await findStoredSeries(db, old)
      const orphans = old.filter(key => !kept.has(key))
      if (orphans.length > 0) await store.delete(orphans)
    }
    after = next ?? undefined
    if (next === null) restsUntilMs = nowMs + orphanMs / 4
  }
}
