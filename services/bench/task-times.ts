import type { Page } from 'playwright-core'

/** An event of Chromium's trace; only the part used here. Times are in microseconds. */
interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** CPU time of the thread; undefined for an event without a duration. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/**
 * Returns the CPU time of each task of the page's main thread while `work` runs, in milliseconds. Unlike the time on the
 * wall, it does not grow while other processes have the processor.
 */
export async function taskTimes(page: Page, work: () => Promise<void>): Promise<number[]> {
  const browser = page.context().browser()!
  await browser.startTracing(page, { categories: ['-*', TASKS, '__metadata'] })
  let trace: string
  try {
    await work()
  } finally {
    trace = (await browser.stopTracing()).toString()
  }
  const { traceEvents } = JSON.parse(trace) as { readonly traceEvents: readonly TraceEvent[] }
  const threads = traceEvents
    .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
    .map(({ pid, tid }) =>
      traceEvents
        .filter(event => event.pid === pid && event.tid === tid && event.name === 'RunTask')
        .map(({ tdur = 0 }) => tdur / 1000),
    )
  // Chromium keeps a spare process for the next page; it has next to nothing to do.
  const busiest = threads.toSorted((a, b) => sum(b) - sum(a))[0]
  if (!busiest?.length) throw new Error('The trace has no task of the page.')
  return busiest
}

/** Category of the event `RunTask`. */
const TASKS = 'disabled-by-default-devtools.timeline'

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
