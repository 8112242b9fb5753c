import { randomBytes } from 'node:crypto'
import type { SharedRedis } from '@lapwing/redis'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { type Board, boardId } from '../boards/board.ts'
import type { Touched } from '../boards/touched.ts'
import { createFlights } from './flights.ts'

/**
 * Windows of boards in a Redis that may be away, slow or emptied at any moment: then every read asks
 * the database, which is slower and never wrong.
 *
 * Each subject has a generation, a random word. A window is kept with the generation that was read
 * before its query, and is good while that is the subject's: a change gives the subject a new one after
 * its commit. A generation that is lost is replaced by a new word, so an old window never counts again.
 */
export interface Windows {
  /** What the windows hold; `load` is asked for those that the cache has not, once for all who ask. */
  read<const Values extends readonly unknown[]>(
    subject: Subject,
    windows: { readonly [Index in keyof Values]: Window<Values[Index]> },
  ): Promise<Values>
  /** Makes old what a committed change touched. Never rejects. */
  drop(touched: Touched): Promise<void>
  close(): void
}

/** One board, or which tracks and cars there are. */
export type Subject = Board | 'catalogue'

export interface Window<Value> {
  /** Names it within its subject. */
  readonly key: string
  readonly load: () => Promise<Value>
}

/** D-18. */
const LIFETIME_MS = 30_000
const GENERATION_LIFETIME_MS = 24 * 3600 * 1_000
/** How long Redis is left alone after it did not answer. */
const REST_MS = 1_000
/** When a drop is given up that could not be carried out: no window from before it is left by then. */
const GIVE_UP_MS = LIFETIME_MS + 10_000
const RETRY_MS = 250
const MOST_PENDING = 10_000

export interface WindowsOptions {
  /** Keeps the keys apart from those of others in the same Redis. */
  readonly prefix?: string
  /** Longer than this Redis is not waited for: the database answers about as fast. */
  readonly answerWithinMs?: number
}

export function createWindows(
  redis: SharedRedis | null,
  logger: Logger,
  { prefix = 'lb', answerWithinMs = 50 }: WindowsOptions = {},
): Windows {
  const nameOf = (subject: Subject) => `${prefix}:${subject === 'catalogue' ? subject : boardId(subject)}`
  const flights = createFlights()
  /** Generations that should be new and are not, as Redis was away, and since when. */
  const pending = new Map<string, number>()
  let restsUntil = 0
  let retrying: NodeJS.Timeout | undefined

  /** Null where Redis has no answer at once. */
  async function ask<Answer>(command: (client: Redis) => Promise<Answer>): Promise<Answer | null> {
    if (redis === null || performance.now() < restsUntil) return null
    const silence = Promise.withResolvers<never>()
    // A busy process finds its timer due before it has read what came meanwhile.
    const timer = setTimeout(() => setImmediate(() => silence.reject(new Error('too slow'))), answerWithinMs)
    try {
      return await Promise.race([redis.run(command), silence.promise])
    } catch {
      if (redis.isUp()) restsUntil = performance.now() + REST_MS
      return null
    } finally {
      clearTimeout(timer)
    }
  }

  /** The subject's generation, made where it has none, and what the windows hold under it. */
  async function look(generationKey: string, keys: readonly string[]) {
    if (pending.has(generationKey)) return null
    const found = await ask(client => client.mget(generationKey, ...keys))
    if (found === null) return null
    if (found[0] !== null) return held(found)
    const made = await ask(async client => {
      const [, read] = (await client
        .pipeline()
        .set(generationKey, word(), 'PX', GENERATION_LIFETIME_MS, 'NX')
        .mget(generationKey, ...keys)
        .exec()) as [unknown, [Error | null, (string | null)[]]]
      return read[1]
    })
    return made === null || made[0] === null ? null : held(made)
  }

  async function keep(key: string, generation: string | undefined, value: unknown): Promise<void> {
    if (generation === undefined) return
    await ask(client => client.set(key, `${generation} ${JSON.stringify(value)}`, 'PX', LIFETIME_MS))
  }

  async function renew(generationKeys: readonly string[]): Promise<void> {
    const since = performance.now()
    for (const key of generationKeys) if (pending.size < MOST_PENDING) pending.set(key, since)
    try {
      if (redis === null) return
      await redis.run(async client => {
        const pipeline = client.pipeline()
        for (const key of generationKeys) pipeline.set(key, word(), 'PX', GENERATION_LIFETIME_MS)
        for (const [error] of (await pipeline.exec()) ?? []) if (error !== null) throw error
      })
      // A change since then has put its own demand in its place.
      for (const key of generationKeys) if (pending.get(key) === since) pending.delete(key)
    } catch {
      logger.debug('windows could not be dropped yet')
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
      const found = await look(`${name}:g`, keys)
      return (await Promise.all(
        windows.map((window, i) => {
          const value = found?.values[i]
          if (value !== undefined) return value
          const key = keys[i]!
          return flights.join(name, `${found?.generation ?? ''} ${key}`, window.load, loaded =>
            keep(key, found?.generation, loaded),
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

/** What `mget` gave: the generation, then the windows; those of another generation are none. */
function held([generation, ...texts]: readonly (string | null)[]) {
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
