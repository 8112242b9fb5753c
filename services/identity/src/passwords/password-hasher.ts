import { hash, parseOptions, verify } from '@node-rs/argon2'
import { IdentityError } from '../errors.ts'

/** Longest password that is taken, in characters. */
export const maxPasswordLength = 1_024

export interface PasswordHasher {
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
  /** Hashes at once. Each takes one of the process's four I/O threads, which names and files need too. */
  readonly concurrency: number
  /** Milliseconds one may expect to wait; a try that would wait longer is refused at once. */
  readonly maxWaitMs: number
}

/** Argon2id with OWASP's least parameters by default, behind a queue that refuses instead of growing. */
export async function createPasswordHasher(options: HasherOptions): Promise<PasswordHasher> {
  const parameters = { memoryCost: options.memoryKib, timeCost: options.passes, parallelism: 1 }
  const begin = performance.now()
  // A real hash with today's parameters; a made-up one would fail at once and tell who exists.
  const dummy = await hash(crypto.randomUUID(), parameters)
  const queue = createQueue({ ...options, firstEstimateMs: performance.now() - begin })
  return {
    hash: password => queue(() => hash(prepare(password), parameters)),
    async verify(stored, password) {
      const matches = await queue(() => verify(stored ?? dummy, prepare(password)))
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
  return [...password.slice(0, 2 * maxPasswordLength).normalize('NFKC')].slice(0, maxPasswordLength).join('')
}

/** Runs at most `concurrency` pieces of work and refuses one whose turn would come too late. */
export function createQueue(options: {
  readonly concurrency: number
  readonly maxWaitMs: number
  readonly firstEstimateMs: number
}) {
  const waiting: (() => void)[] = []
  let running = 0
  let estimateMs = options.firstEstimateMs

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= options.concurrency) {
      const waitMs = ((waiting.length + 1) * estimateMs) / options.concurrency
      if (waitMs > options.maxWaitMs) {
        throw new IdentityError('service_unavailable', { retryAfterS: Math.ceil(waitMs / 1_000) })
      }
      await new Promise<void>(resolve => waiting.push(resolve))
    } else {
      running++
    }
    const begin = performance.now()
    try {
      return await work()
    } finally {
      // A moving mean: the estimate follows the machine, one slow hash does not move it far.
      estimateMs += (performance.now() - begin - estimateMs) / 8
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
