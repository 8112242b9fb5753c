import { parseOptions } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { IdentityError } from '../errors.ts'
import { createHashThreads } from './hash-threads.ts'

/** Longest password that is taken, in characters. */
export const MAX_PASSWORD_LENGTH = 1_024

export interface PasswordHasher {
  /** Throws `service_unavailable` where the turn of a hash that is asked for now would come too late. */
  refuseIfLate(): void
  /**
   * Does work that will hash when its turn is near, so that a flood costs nobody a query before; or refuses
   * it with `service_unavailable`: at once, or when its turn comes much later than it should have.
   */
  admit<Result>(work: () => Promise<Result>): Promise<Result>
  hash(password: string): Promise<string>
  /**
   * Whether the password belongs to the hash. Without a hash (nobody has the address, or signs in
   * another way) the same work is done in vain, so that the time says nothing.
   */
  verify(hash: string | null, password: string): Promise<boolean>
  /** Whether a hash was made with other parameters than new ones are. */
  isOutdated(hash: string): boolean
}

export interface HasherOptions {
  readonly memoryKib: number
  readonly passes: number
  /** Hashes at once, each in a thread of its own. */
  readonly concurrency: number
  /** Milliseconds one may expect to wait; a try that would wait longer is refused at once. */
  readonly maxWaitMs: number
  /** Milliseconds that only grow; how long they waited is told by it. */
  readonly now?: () => number
}

/**
 * What one hash costs where nothing else is configured: memory and passes of the second choice that
 * RFC 9106 (section 4) recommends, in one lane, since a hash has one core. That is five times OWASP's
 * least (19 MiB, two passes), which a core of today does in some 6 ms.
 */
export const defaultHashCost = { memoryKib: 65_536, passes: 3 } as const

/** Argon2id behind a door that refuses instead of a queue that grows. */
export async function createPasswordHasher(options: HasherOptions): Promise<PasswordHasher> {
  const threads = createHashThreads(options.concurrency)
  const parameters = { memoryCost: options.memoryKib, timeCost: options.passes, parallelism: 1 }
  // A thread's first work loads its code; the estimate is to be of a hash alone.
  await Promise.all(Array.from({ length: options.concurrency }, () => threads.hash('', parameters)))
  const begin = performance.now()
  // A real hash with today's parameters; a made-up one would fail at once and tell who exists.
  const dummy = await threads.hash(crypto.randomUUID(), parameters)
  const queue = createQueue({ ...options, firstEstimateMs: performance.now() - begin })
  return {
    refuseIfLate: queue.refuseIfLate,
    admit: queue.admit,
    hash: password => queue.run(() => threads.hash(prepare(password), parameters)),
    async verify(stored, password) {
      const matches = await queue.run(() => threads.verify(stored ?? dummy, prepare(password)))
      return matches && stored !== null
    },
    isOutdated(stored) {
      const { memoryCost, timeCost, parallelism } = parseOptions(stored)
      return memoryCost !== options.memoryKib || timeCost !== options.passes || parallelism !== 1
    },
  }
}

/** One form for passwords that look the same however a keyboard makes them (NIST SP 800-63B 5.1.1.2). */
function prepare(password: string): string {
  return [...password.slice(0, 2 * MAX_PASSWORD_LENGTH).normalize('NFKC')]
    .slice(0, MAX_PASSWORD_LENGTH)
    .join('')
}

/** A door that knows how long the queue behind it is. */
export interface Queue {
  refuseIfLate(): void
  /** Begins work when few are before it, in the order in which it came. */
  admit<Result>(work: () => Promise<Result>): Promise<Result>
  /** Runs at most `concurrency` pieces of work at once, in the order in which they came. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

export function createQueue(options: {
  readonly concurrency: number
  readonly maxWaitMs: number
  readonly firstEstimateMs: number
  /** As for the hasher. */
  readonly now?: () => number
}): Queue {
  const { now = () => performance.now() } = options
  const inThreads = pLimit(options.concurrency)
  // So many that a thread finds the next hash waiting while others are still looked up.
  const behindDoor = pLimit(4 * options.concurrency)
  let admitted = 0
  let estimateMs = options.firstEstimateMs
  let promisedAt = 0

  function refuseIfLate(): void {
    const waitMs = expectedWaitMs()
    if (waitMs > options.maxWaitMs) throw refusal(waitMs)
  }

  function expectedWaitMs(): number {
    const ahead = Math.max(0, admitted + 1 - options.concurrency)
    return (ahead * estimateMs) / options.concurrency
  }

  function refusal(waitMs: number): IdentityError {
    const nowMs = now()
    // Each is told a time of its own, at the rate of the hashes: all at once would be refused again.
    promisedAt = Math.min(
      Math.max(nowMs + waitMs, promisedAt + estimateMs / options.concurrency),
      nowMs + waitMs + MOST_SPREAD_MS,
    )
    // To the millisecond, as what remains of adding and taking away would be a second more.
    const promisedInS = Math.ceil(Math.round(promisedAt - nowMs) / 1_000)
    return new IdentityError('service_unavailable', { retryAfterS: Math.max(1, promisedInS) })
  }

  return {
    refuseIfLate,
    async admit(work) {
      refuseIfLate()
      admitted++
      const cameAt = now()
      try {
        return await behindDoor(() => {
          // Where not hashes but a database is slow, the estimate was wrong: nobody waits for one after another.
          const isLate = now() - cameAt > 2 * (options.maxWaitMs + estimateMs)
          return isLate ? Promise.reject(refusal(expectedWaitMs())) : work()
        })
      } finally {
        admitted--
      }
    },
    run: work =>
      inThreads(async () => {
        const begin = now()
        try {
          return await work()
        } finally {
          // A moving mean: the estimate follows the machine, one slow hash does not move it far.
          estimateMs += (now() - begin - estimateMs) / 8
        }
      }),
  }
}

/** However many come, nobody is sent away for much longer than the queue is. */
const MOST_SPREAD_MS = 10_000
