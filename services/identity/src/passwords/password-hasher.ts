import { Counter, Histogram, SECONDS } from '@lapwing/metrics'
import { parseOptions } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { IdentityError } from '../errors.ts'
import { createHashThreads } from './hash-threads.ts'

const waits = new Histogram({
  name: 'lapwing_password_hash_wait_seconds',
  help: 'Time for which work with a password hash waited for its turn.',
  buckets: SECONDS,
})

const refusals = new Counter({
  name: 'lapwing_password_hash_refused_total',
  help: 'Work with a password hash that was refused with 503, because it would have waited too long.',
})

/** Longest accepted password, in characters. */
export const MAX_PASSWORD_LENGTH = 1_024

export interface PasswordHasher extends Omit<Queue, 'run'> {
  hash(password: string): Promise<string>
  /**
   * Returns whether the password matches the hash. Returns false for null (no account, or no password)
   * after the same work, so that the time does not reveal whether an account exists.
   */
  verify(hash: string | null, password: string): Promise<boolean>
  /** Returns whether a hash has other parameters than new ones. */
  isOutdated(hash: string): boolean
}

export interface HasherOptions {
  readonly memoryKib: number
  readonly passes: number
  /** Concurrent hashes, each in a thread of its own. */
  readonly concurrency: number
  /** Longest expected wait in milliseconds; a longer one is refused immediately. */
  readonly maxWaitMs: number
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number
}

/** Creates an Argon2id hasher that refuses work instead of letting a queue grow. */
export async function createPasswordHasher(options: HasherOptions): Promise<PasswordHasher> {
  const threads = createHashThreads(options.concurrency)
  const parameters = { memoryCost: options.memoryKib, timeCost: options.passes, parallelism: 1 }
  // A thread's first run loads its code, which must not count in the estimate.
  await Promise.all(Array.from({ length: options.concurrency }, () => threads.hash('', parameters)))
  const begin = performance.now()
  // A real hash with the current parameters: an invalid one would fail fast and reveal accounts.
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

/** Normalises the Unicode form, which differs between keyboards (NIST SP 800-63B 5.1.1.2), and cuts. */
function prepare(password: string): string {
  return [...password.slice(0, 2 * MAX_PASSWORD_LENGTH).normalize('NFKC')]
    .slice(0, MAX_PASSWORD_LENGTH)
    .join('')
}

/** A queue that refuses work by its expected wait. */
export interface Queue {
  /** Throws `service_unavailable` if a hash that is requested now would wait too long. */
  refuseIfLate(): void
  /**
   * Starts work that will hash when its turn is near, first come, first served, so that waiting work costs no
   * query. Throws `service_unavailable` immediately if it would wait too long, or later if its turn comes much
   * too late.
   */
  admit<Result>(work: () => Promise<Result>): Promise<Result>
  /** Runs at most `concurrency` pieces of work concurrently, first come, first served. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

export function createQueue(
  options: Pick<HasherOptions, 'concurrency' | 'maxWaitMs' | 'now'> & { readonly firstEstimateMs: number },
): Queue {
  const { now = () => performance.now() } = options
  const hashing = pLimit(options.concurrency)
  // Enough that the next hash is ready for a thread while others still query the database.
  const admission = pLimit(4 * options.concurrency)
  let admitted = 0
  let estimateMs = options.firstEstimateMs
  let retryAtMs = 0

  function refuseIfLate(): void {
    const waitMs = expectedWaitMs()
    if (waitMs > options.maxWaitMs) throw refusal(waitMs)
  }

  function expectedWaitMs(): number {
    const ahead = Math.max(0, admitted + 1 - options.concurrency)
    return (ahead * estimateMs) / options.concurrency
  }

  function refusal(waitMs: number): IdentityError {
    refusals.inc()
    const nowMs = now()
    // Each refusal gets a time of its own, at the rate of the hashes. Together they would be refused again.
    retryAtMs = Math.min(
      Math.max(nowMs + waitMs, retryAtMs + estimateMs / options.concurrency),
      nowMs + waitMs + MAX_SPREAD_MS,
    )
    // Rounded to milliseconds: a floating-point error would add a second.
    const retryInS = Math.ceil(Math.round(retryAtMs - nowMs) / 1_000)
    return new IdentityError('service_unavailable', { retryAfterS: Math.max(1, retryInS) })
  }

  return {
    refuseIfLate,
    async admit(work) {
      refuseIfLate()
      admitted++
      const arrivedAtMs = now()
      try {
        return await admission(() => {
          // A slow database makes the estimate wrong. Refuse late work, so that waits do not add up.
          const isLate = now() - arrivedAtMs > 2 * (options.maxWaitMs + estimateMs)
          waits.observe((now() - arrivedAtMs) / 1000)
          return isLate ? Promise.reject(refusal(expectedWaitMs())) : work()
        })
      } finally {
        admitted--
      }
    },
    run: work =>
      hashing(async () => {
        const begin = now()
        try {
          return await work()
        } finally {
          // A moving mean follows the machine, but not a single slow hash.
          estimateMs += (now() - begin - estimateMs) / 8
        }
      }),
  }
}

/** Milliseconds by which a retry time exceeds the expected wait at most. */
const MAX_SPREAD_MS = 10_000
