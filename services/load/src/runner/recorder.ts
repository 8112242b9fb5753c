import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'

/** Times of a journey or a call, ms. */
export interface Times {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** Counts and times of one run or one step of a search. */
export interface Recorder {
  readonly record: (kind: 'journey' | 'call', name: string, ms: number) => void
  readonly count: (name: string, more?: number) => void
  readonly times: (kind: 'journey' | 'call') => Readonly<Record<string, Times>>
  readonly counts: () => Readonly<Record<string, number>>
}

/** Records times in HDR histograms of microseconds with three digits. */
export function createRecorder(): Recorder {
  const histograms = {
    journey: new Map<string, RecordableHistogram>(),
    call: new Map<string, RecordableHistogram>(),
  }
  const counts = new Map<string, number>()
  return {
    record(kind, name, ms) {
      let histogram = histograms[kind].get(name)
      if (histogram === undefined) {
        histogram = createHistogram({ lowest: 1, highest: HIGHEST_US, figures: 3 })
        histograms[kind].set(name, histogram)
      }
      histogram.record(Math.min(HIGHEST_US, Math.max(1, Math.round(ms * 1000))))
    },
    count(name, more = 1) {
      counts.set(name, (counts.get(name) ?? 0) + more)
    },
    times: kind =>
      Object.fromEntries([...histograms[kind]].map(([name, histogram]) => [name, timesOf(histogram)])),
    counts: () => Object.fromEntries([...counts].sort(([a], [b]) => a.localeCompare(b))),
  }
}

/** Half an hour: longer than any time-out of a journey together. */
const HIGHEST_US = 30 * 60 * 1_000_000

function timesOf(histogram: RecordableHistogram): Times {
  const ms = (percent: number) => histogram.percentile(percent) / 1000
  return { count: histogram.count, p50: ms(50), p95: ms(95), p99: ms(99), max: histogram.max / 1000 }
}
