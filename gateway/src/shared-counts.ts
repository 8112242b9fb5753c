import type {
  FastifyRateLimitOptions,
  FastifyRateLimitStore,
  FastifyRateLimitStoreCtor,
} from '@fastify/rate-limit'
import type { SharedRedis } from '@lapwing/redis'
import { LRUCache } from 'lru-cache'
import type { RateLimit } from './routes.ts'

interface Count {
  /** This request included. */
  readonly current: number
  /** Milliseconds until the window ends. */
  readonly ttl: number
}

/**
 * Returns the store of the rate limits. All gateways count in Redis. While it is down, each gateway continues
 * from the counts it saw last, up to the limit's `maxAlone`. If `redis` is null, this process counts alone,
 * up to `max`.
 */
export function sharedCounts(redis: SharedRedis | null): FastifyRateLimitStoreCtor {
  const own = createOwnCounts()
  const countShared = redis && createBatches(redis)

  async function increment(key: string, windowMs: number, max: number, maxAlone: number): Promise<Count> {
    if (countShared === null) return own.increment(key, windowMs)
    try {
      const count = await countShared(key, windowMs)
      own.set(key, count)
      return count
    } catch {
      const { current, ttl } = own.increment(key, windowMs)
      // The plugin compares with `max`: a count that is higher by the difference enforces `maxAlone`.
      return { current: current + max - maxAlone, ttl }
    }
  }

  return class SharedCounts implements FastifyRateLimitStore {
    readonly #maxAlone: number | undefined

    constructor(limit: Limit) {
      this.#maxAlone = limit.maxAlone
    }

    incr(key: string, done: Done, windowMs: number, max: number): void {
      increment(key, windowMs, max, this.#maxAlone ?? max).then(
        count => done(null, count),
        (error: Error) => done(error),
      )
    }

    child(limit: object): SharedCounts {
      return new SharedCounts(limit)
    }
  }
}

/** The plugin passes on all options of `app.rateLimit`. */
type Limit = FastifyRateLimitOptions & Pick<RateLimit, 'maxAlone'>

type Done = Parameters<FastifyRateLimitStore['incr']>[1]

/** One atomic script: two requests at the same moment must not both pass as the last one. */
const COUNT_IN_WINDOWS = `
local counts = {}
for i, key in ipairs(KEYS) do
  local count = redis.call('INCR', key)
  local ttl = redis.call('PTTL', key)
  if ttl < 0 then
    ttl = tonumber(ARGV[i])
    redis.call('PEXPIRE', key, ttl)
  end
  counts[2 * i - 1] = count
  counts[2 * i] = ttl
end
return counts`

/** Requests that one command counts, at most. Redis serves nobody else while the script runs. */
const MOST_TOGETHER = 100

/**
 * Returns a function that counts a request in Redis. One command counts all requests of one turn of the event loop.
 * A command for each would cost a write to the connection, a timer and several promises. Each request gets its own
 * count, as if it were alone.
 */
function createBatches(redis: SharedRedis): (key: string, windowMs: number) => Promise<Count> {
  let filling: Batch | null = null

  function begin(): Batch {
    const keys: string[] = []
    const windowsMs: number[] = []
    const turn = new Promise(resolve => setImmediate(resolve))
    const batch = {
      keys,
      windowsMs,
      counts: turn.then(() => {
        if (filling === batch) filling = null
        return redis.run(client => counterOf(client).countInWindows(keys.length, ...keys, ...windowsMs))
      }),
    }
    return batch
  }

  return async (key, windowMs) => {
    filling ??= begin()
    const { keys, windowsMs, counts } = filling
    const index = keys.push(`gateway:limit:${key}`) - 1
    windowsMs.push(windowMs)
    if (keys.length === MOST_TOGETHER) filling = null
    const answered = await counts
    return { current: answered[2 * index]!, ttl: answered[2 * index + 1]! }
  }
}

interface Batch {
  readonly keys: string[]
  readonly windowsMs: number[]
  /** Count and remaining milliseconds of each key, in turn. */
  readonly counts: Promise<readonly number[]>
}

interface Counter {
  countInWindows(keys: number, ...keysAndWindowsMs: (string | number)[]): Promise<number[]>
}

/**
 * Returns the client with the script as a command, which sends the text once a connection and then its digest. It
 * sends the text again if Redis forgot it.
 */
function counterOf(client: Parameters<Parameters<SharedRedis['run']>[0]>[0]): Counter {
  if (!('countInWindows' in client)) client.defineCommand('countInWindows', { lua: COUNT_IN_WINDOWS })
  return client as unknown as Counter
}

/** Counts of this process. Beyond a bounded number of keys, the least recently used one is evicted. */
function createOwnCounts() {
  const windows = new LRUCache<string, { current: number; endsAtMs: number }>({ max: 50_000 })
  return {
    increment(key: string, windowMs: number): Count {
      const nowMs = Date.now()
      const window = windows.get(key)
      if (window === undefined || window.endsAtMs <= nowMs) {
        windows.set(key, { current: 1, endsAtMs: nowMs + windowMs })
        return { current: 1, ttl: windowMs }
      }
      window.current += 1
      return { current: window.current, ttl: window.endsAtMs - nowMs }
    },
    set(key: string, { current, ttl }: Count): void {
      windows.set(key, { current, endsAtMs: Date.now() + ttl })
    },
  }
}
