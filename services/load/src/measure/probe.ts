import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseTotals } from './count-statements.ts'
import { parseMetrics, type Series } from './metrics-text.ts'
import { readMachineCpu, readTreeCpu } from './process-cpu.ts'

/** What the parts of Lapwing used over a span of time. */
export interface Usage {
  readonly seconds: number
  /** Processor seconds of each part, by its name; those of the runner itself are `load`. */
  readonly cpuS: Readonly<Record<string, number>>
  /** Share of the machine's processors in use, by all programs; null if unknown. */
  readonly machineBusy: number | null
  /** The longest p99 of the event loop's delay within about a second, ms. */
  readonly loopDelayMs: Readonly<Record<string, number>>
  /** Most queries that waited for a connection to the database. */
  readonly waitingQueries: Readonly<Record<string, number>>
  /** Most files that waited for a worker. */
  readonly waitingFiles: number
  /** Statements of each role of the database; null if nobody counts them. */
  readonly statements: Readonly<Record<string, number>> | null
  /** Growth of the database; null if nobody counts. */
  readonly databaseBytes: number | null
}

export interface ProbeOptions {
  /** Addresses of `/metrics`, by the name of the part. */
  readonly metrics: Readonly<Record<string, string>>
  /** Process id of each part on this machine; its children count too. */
  readonly pids: () => Readonly<Record<string, number | undefined>>
  readonly readDatabase?: () => Promise<DatabaseTotals>
}

/** Watches the parts while `work` runs. A part that does not answer has no values. */
export async function watchUsage<Result>(
  options: ProbeOptions,
  work: () => Promise<Result>,
): Promise<{ readonly usage: Usage; readonly result: Result }> {
  const peaks: Peaks = { loopDelayMs: {}, waitingQueries: {}, waitingFiles: 0 }
  // The delay of the event loop begins again with each scrape.
  await scrape(options.metrics)
  const before = await readTotals(options)
  const isOver = new AbortController()
  const watching = (async () => {
    while (!isOver.signal.aborted) {
      await delay(1_000, undefined, { signal: isOver.signal }).catch(() => {})
      notePeaks(peaks, await scrape(options.metrics))
    }
  })()
  try {
    const result = await work()
    const after = await readTotals(options)
    return { usage: usageOf(before, after, peaks), result }
  } finally {
    isOver.abort()
    await watching
  }
}

interface Peaks {
  readonly loopDelayMs: Record<string, number>
  readonly waitingQueries: Record<string, number>
  waitingFiles: number
}

interface Totals {
  readonly atMs: number
  readonly cpuS: Readonly<Record<string, number>>
  readonly machine: ReturnType<typeof readMachineCpu>
  readonly database: DatabaseTotals | null
}

function notePeaks(peaks: Peaks, scraped: Readonly<Record<string, readonly Series[]>>): void {
  const raise = (values: Record<string, number>, part: string, value: number) => {
    if (!Number.isNaN(value)) values[part] = Math.max(values[part] ?? 0, value)
  }
  for (const [part, series] of Object.entries(scraped)) {
    let waitingFiles = 0
    for (const { name, labels, value } of series) {
      if (name === 'nodejs_eventloop_lag_p99_seconds') raise(peaks.loopDelayMs, part, value * 1000)
      if (name === 'lapwing_database_pool' && labels.state === 'waiting')
        raise(peaks.waitingQueries, part, value)
      if (name === 'lapwing_queue_jobs' && WAITING.has(labels.state ?? '')) waitingFiles += value
    }
    peaks.waitingFiles = Math.max(peaks.waitingFiles, waitingFiles)
  }
}

const WAITING: ReadonlySet<string> = new Set(['waiting', 'prioritized'])

async function readTotals({ metrics, pids, readDatabase }: ProbeOptions): Promise<Totals> {
  const known = Object.entries(pids()).flatMap(([part, pid]) => {
    const cpuS = pid === undefined ? null : readTreeCpu(pid)
    return cpuS === null ? [] : [[part, cpuS] as const]
  })
  // Another machine's processes report their own time.
  const reported = known.length > 0 ? {} : await scrape(metrics)
  const others = Object.entries(reported).flatMap(([part, series]) => {
    const cpuS = series.find(({ name }) => name === 'process_cpu_seconds_total')?.value
    return cpuS === undefined ? [] : [[part, cpuS] as const]
  })
  const { user, system } = process.cpuUsage()
  return {
    atMs: performance.now(),
    cpuS: { ...Object.fromEntries([...known, ...others]), load: (user + system) / 1e6 },
    machine: known.length > 0 ? readMachineCpu() : null,
    database: (await readDatabase?.()) ?? null,
  }
}

function usageOf(before: Totals, after: Totals, peaks: Peaks): Usage {
  const gained = (from: Readonly<Record<string, number>>, to: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(to).map(([name, value]) => [name, value - (from[name] ?? 0)]))
  const { machine } = after
  return {
    seconds: (after.atMs - before.atMs) / 1000,
    cpuS: gained(before.cpuS, after.cpuS),
    machineBusy:
      machine === null || before.machine === null
        ? null
        : (machine.busyS - before.machine.busyS) / (machine.allS - before.machine.allS),
    ...peaks,
    ...(before.database === null || after.database === null
      ? { statements: null, databaseBytes: null }
      : {
          statements: gained(before.database.statements, after.database.statements),
          databaseBytes: after.database.bytes - before.database.bytes,
        }),
  }
}

async function scrape(
  metrics: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, readonly Series[]>>> {
  const scraped = await Promise.all(
    Object.entries(metrics).map(async ([part, url]) => {
      try {
        const answer = await fetch(url, { signal: AbortSignal.timeout(SCRAPE_WITHIN_MS) })
        return answer.ok ? ([[part, parseMetrics(await answer.text())]] as const) : []
      } catch {
        return []
      }
    }),
  )
  return Object.fromEntries(scraped.flat())
}

const SCRAPE_WITHIN_MS = 3_000
