import { findUnattended } from '../ingests/ingest.repository.ts'
import type { SweepNeeds } from './sweep-needs.ts'

/**
 * Queues every ingest that may be taken up and that nobody works on, the oldest first. Those that are
 * in the queue already are left alone by their jobs' ids, so after a Redis was wiped all are there again.
 */
export async function requeueUnattended({ db, queue }: Pick<SweepNeeds, 'db' | 'queue'>): Promise<void> {
  await queue.enqueue(await findUnattended(db, AT_ONCE))
}

const AT_ONCE = 1_000
