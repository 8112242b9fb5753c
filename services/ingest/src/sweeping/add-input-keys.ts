import { inputKeys } from '@lapwing/telemetry'
import { lockWithoutInputKeys, storeInputKeys } from '../fingerprints/fingerprint.repository.ts'
import type { SweepNeeds } from './sweep-needs.ts'

/**
 * Adds the keys of inputs to older fingerprints, from their descriptors. So a lap that was stored before is
 * found in a copy that was played faster in some places.
 *
 * @param stopping aborted when the process has no more time: the next sweep does what is left
 */
export async function addInputKeys(
  { db }: Pick<SweepNeeds, 'db'>,
  stopping: AbortSignal = new AbortController().signal,
): Promise<void> {
  while (!stopping.aborted) {
    const done = await db.transaction().execute(async trx => {
      const fingerprints = await lockWithoutInputKeys(trx, LAPS_AT_ONCE)
      if (fingerprints.length === 0) return true
      const keys = fingerprints.flatMap(({ id, descriptor }) =>
        inputKeys(descriptor).map(key => ({ id, key })),
      )
      await storeInputKeys(
        trx,
        fingerprints.map(({ id }) => id),
        keys,
      )
      return fingerprints.length < LAPS_AT_ONCE
    })
    if (done) return
  }
}

const LAPS_AT_ONCE = 200
