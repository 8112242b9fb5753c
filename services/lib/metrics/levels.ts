import { Gauge } from 'prom-client'

/** A value that is read when metrics are scraped, such as the length of a queue. */
export interface Level {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  /** Returns the values now, each with its labels. If it rejects, the scrape has no value of this level. */
  readonly read: () => readonly Reading[] | Promise<readonly Reading[]>
  /** Milliseconds for which values are used again. A level that costs a query needs this. */
  readonly validForMs?: number
}

export interface Reading {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/**
 * Adds levels to the metrics of this process. Sources with the same name share one gauge, and their values
 * must differ in their labels.
 *
 * @returns a function that removes them
 */
export function watchLevels(levels: readonly Level[]): () => void {
  const removers = levels.map(level => {
    const { gauge, sources } = gaugeOf(level)
    const read = cached(level)
    sources.add(read)
    return () => {
      sources.delete(read)
      gauge.reset()
    }
  })
  return () => {
    for (const remove of removers) remove()
  }
}

type Read = () => Promise<readonly Reading[]>

const gauges = new Map<string, { readonly gauge: Gauge; readonly sources: Set<Read> }>()

function gaugeOf({ name, help, labels }: Level) {
  const known = gauges.get(name)
  if (known !== undefined) return known
  const sources = new Set<Read>()
  const gauge = new Gauge({
    name,
    help,
    labelNames: [...labels],
    async collect() {
      const answers = await Promise.allSettled([...sources].map(read => within(READ_WITHIN_MS, read())))
      this.reset()
      for (const answer of answers) {
        if (answer.status === 'rejected') continue
        for (const { labels, value } of answer.value) this.set(labels, value)
      }
    },
  })
  const added = { gauge, sources }
  gauges.set(name, added)
  return added
}

/** Shorter than a scrape may take, so that a slow database hides only its own values. */
const READ_WITHIN_MS = 2_000

function cached({ read, validForMs = 0 }: Level): Read {
  let values: Promise<readonly Reading[]> | null = null
  let readAtMs = 0
  return () => {
    if (values !== null && performance.now() - readAtMs < validForMs) return values
    readAtMs = performance.now()
    values = (async () => read())()
    values.catch(() => {
      values = null
    })
    return values
  }
}

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no values within ${ms} ms`)), ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
