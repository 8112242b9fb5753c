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

  async function increment(key: string, windowMs: number, max: number, maxAlone: number): Promise<Count> {
    if (redis === null) return own.increment(key, windowMs)
    try {
      const [current, ttl] = await redis.run(client =>
        counterOf(client).countInWindow(`gateway:limit:${key}`, windowMs),
      )
      own.set(key, { current, ttl })
      return { current, ttl }
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
const COUNT_IN_WINDOW = `
local count = redis.call('INCR', KEYS[1])
local ttl = redis.call('PTTL', KEYS[1])
if ttl < 0 then
  ttl = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ttl)
end
return {count, ttl}`

interface Counter {
  countInWindow(key: string, windowMs: number): Promise<[current: number, ttl: number]>
}

/**
 * Returns the client with the script as a command, which sends the text once a connection and then its digest. It
 * sends the text again if Redis forgot it. Automatic pipelining costs more time at one connection, and
 * saves nothing at many.
 */
function counterOf(client: Parameters<Parameters<SharedRedis['run']>[0]>[0]): Counter {
  if (!('countInWindow' in client)) {
    client.defineCommand('countInWindow', { numberOfKeys: 1, lua: COUNT_IN_WINDOW })
  }
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
