import {
  type BucketAddress,
  createObjectStore,
  type ObjectFacts,
  type ObjectStore,
} from '@lapwing/object-store'
import { NAMED_OBJECTS } from '../schemas.ts'
import { keepTrying } from './keep-trying.ts'

/** Opens the bucket with patience: nobody waits for one call, and a file may take minutes. */
export function openBucket(address: BucketAddress): ObjectStore {
  return createObjectStore({
    ...address,
    limits: {
      connectWithinMs: 5_000,
      answerWithinMs: 600_000,
      callWithinMs: 600_000,
      stallMs: 60_000,
      attempts: 1,
    },
  })
}

/** Lists the objects of all services, in the order of keys, a page at a time. */
export async function* listBucket(
  store: Pick<ObjectStore, 'list'>,
  signal: AbortSignal,
): AsyncGenerator<ObjectFacts> {
  for (const { prefix } of NAMED_OBJECTS) {
    for (let after: string | undefined; ; ) {
      const { objects, next } = await keepTrying(() => store.list(prefix, { after }), signal)
      yield* objects
      if (next === null) break
      after = next
    }
  }
}
