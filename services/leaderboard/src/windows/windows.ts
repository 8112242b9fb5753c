import { randomBytes } from 'node:crypto'
import type { SharedRedis } from '@lapwing/redis'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { type Board, boardId } from '../boards/board.ts'
import type { Touched } from '../boards/touched.ts'
import { createFlights } from './flights.ts'

/**
 * Caches windows of boards in Redis. If Redis is down, slow or empty, every read queries the database, which
 * is slower and never wrong.
 *
 * Each subject has a generation, a random word. A window is stored with the generation that was read before
 * its query. It is valid while its subject has this generation. A change sets a new generation after its
 * commit. A lost generation is replaced by a new word, so a stale window never becomes valid again.
 */
export interface Windows {
  /** Returns the values of the windows. `load` reads those that are not cached, once for all requests. */
  read<const Values extends readonly unknown[]>(
    subject: Subject,
    windows: { readonly [Index in keyof Values]: Window<Values[Index]> },
  ): Promise<Values>
  /** Invalidates everything that a committed change touched. Never rejects. */
  drop(touched: Touched): Promise<void>
  close(): void
}

/** One board, or the lists of tracks and cars. */
export type Subject = Board | 'catalogue'

export interface Window<Value> {
  /** Unique within the subject. */
  readonly key: string
  readonly load: () => Promise<Value>
}

/** D-18. */
const LIFETIME_MS = 30_000
const GENERATION_LIFETIME_MS = 24 * 3600 * 1_000
/** How long Redis is not used after it did not answer. */
const PAUSE_MS = 1_000
/** How long a failed drop is retried. By then all windows from before it have expired. */
const GIVE_UP_MS = LIFETIME_MS + 10_000
const RETRY_MS = 250
const MAX_PENDING = 10_000

export interface WindowsOptions {
  /** Separates the keys from others in the same Redis. */
  readonly prefix?: string
  /** How long to wait for Redis, in ms. After that the database is about as fast. */
  readonly answerWithinMs?: number
}

export function createWindows(
  redis: SharedRedis | null,
  logger: Logger,
  { prefix = 'lb2', answerWithinMs = 50 }: WindowsOptions = {},
): Windows {
  const nameOf = (subject: Subject) => `${prefix}:${subject === 'catalogue' ? subject : boardId(subject)}`
  const flights = createFlights()
  /** Keys of generations that could not be renewed because Redis was down, each with its time. */
  const pending = new Map<string, number>()
  let pausedUntil = 0
  let retrying: NodeJS.Timeout | undefined

  /** Runs a command. Returns null if Redis does not answer in time. */
  async function ask<Answer>(command: (client: Redis) => Promise<Answer>): Promise<Answer | null> {
    if (redis === null || performance.now() < pausedUntil) return null
    const timeout = Promise.withResolvers<never>()
    // In a busy process the timer fires before an answer that has arrived already is read.
    const timer = setTimeout(() => setImmediate(() => timeout.reject(new Error('too slow'))), answerWithinMs)
    try {
      return await Promise.race([redis.run(command), timeout.promise])
    } catch {
      if (redis.isUp()) pausedUntil = performance.now() + PAUSE_MS
      return null
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Reads the subject's generation, or creates it, and the cached values of the windows. Null without Redis.
   */
  async function readCached(generationKey: string, keys: readonly string[]) {
    if (pending.has(generationKey)) return null
    const found = await ask(client => client.mget(generationKey, ...keys))
    if (found === null) return null
    if (found[0] !== null) return parseCached(found)
    // Both commands are sent in one go. A pipeline of the client would resolve although a command failed.
    const created = await ask(async client => {
      const [, read] = await Promise.all([
        client.set(generationKey, word(), 'PX', GENERATION_LIFETIME_MS, 'NX'),
        client.mget(generationKey, ...keys),
      ])
      return read
    })
    return created === null || created[0] === null ? null : parseCached(created)
  }

  async function store(key: string, generation: string | undefined, value: unknown): Promise<void> {
    if (generation === undefined) return
    await ask(client => client.set(key, `${generation} ${JSON.stringify(value)}`, 'PX', LIFETIME_MS))
  }

  async function renew(generationKeys: readonly string[]): Promise<void> {
    const since = performance.now()
    for (const key of generationKeys) if (pending.size < MAX_PENDING) pending.set(key, since)
    try {
      if (redis === null) return
      await redis.run(async client => {
        const pipeline = client.pipeline()
        for (const key of generationKeys) pipeline.set(key, word(), 'PX', GENERATION_LIFETIME_MS)
        for (const [error] of (await pipeline.exec()) ?? []) if (error !== null) throw error
      })
      // A later change has its own time here, and its renewal is still pending.
      for (const key of generationKeys) if (pending.get(key) === since) pending.delete(key)
    } catch {
      logger.debug('windows could not be dropped; will retry')
      retrying ??= setInterval(retry, RETRY_MS).unref()
    }
  }

  async function retry(): Promise<void> {
    const now = performance.now()
    for (const [key, since] of pending) if (now - since > GIVE_UP_MS) pending.delete(key)
    if (pending.size > 0 && redis?.isUp()) await renew([...pending.keys()])
    if (pending.size > 0) return
    clearInterval(retrying)
    retrying = undefined
  }

  return {
    async read<const Values extends readonly unknown[]>(
      subject: Subject,
      windows: { readonly [Index in keyof Values]: Window<Values[Index]> },
    ): Promise<Values> {
      const name = nameOf(subject)
      const keys = windows.map(({ key }) => `${name}:${key}`)
      const found = await readCached(`${name}:g`, keys)
      return (await Promise.all(
        windows.map((window, i) => {
          const value = found?.values[i]
          if (value !== undefined) return value
          const key = keys[i]!
          return flights.join(name, `${found?.generation ?? ''} ${key}`, window.load, loaded =>
            store(key, found?.generation, loaded),
          )
        }),
      )) as unknown as Values
    },
    async drop({ boards, catalogue }) {
      const subjects: Subject[] = [...boards, ...(catalogue ? (['catalogue'] as const) : [])]
      if (subjects.length === 0) return
      const names = subjects.map(nameOf)
      for (const name of names) flights.forget(name)
      if (redis !== null) await renew(names.map(name => `${name}:g`))
    },
    close() {
      clearInterval(retrying)
      redis?.close()
    },
  }
}

/**
 * Parses the answer of `mget`: the generation, then the windows. Windows of another generation are undefined.
 */
function parseCached([generation, ...texts]: readonly (string | null)[]) {
  const prefix = `${generation} `
  return {
    generation: generation!,
    values: texts.map(text =>
      text?.startsWith(prefix) ? (JSON.parse(text.slice(prefix.length)) as unknown) : undefined,
    ),
  }
}

function word(): string {
  return randomBytes(9).toString('base64url')
}
