import { findUnattended } from '../ingests/ingest.repository.ts'
import type { SweepNeeds } from './sweep-needs.ts'

/**
 * Queues every ingest that is due and that no attempt works on, the oldest first. The ids of jobs keep those
 * that are queued already from being added twice. So after Redis lost its data all are queued again.
 */
export async function requeueUnattended({ db, queue }: Pick<SweepNeeds, 'db' | 'queue'>): Promise<void> {
  await queue.enqueue(await findUnattended(db, AT_ONCE))
}

const AT_ONCE = 1_000
