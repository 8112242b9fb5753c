import { METHODS } from 'node:http'
import { Counter, Histogram } from 'prom-client'
import { SECONDS } from './timed.ts'

const requests = new Counter({
  name: 'lapwing_http_requests_total',
  help: 'Finished requests. The status is none if the client left before the answer began.',
  labelNames: ['method', 'route', 'status'],
})

const durations = new Histogram({
  name: 'lapwing_http_request_duration_seconds',
  help: 'Time from the first byte of a request to the last byte of its answer.',
  labelNames: ['method', 'route'],
  buckets: SECONDS,
})

/** One finished request. All labels have few values: a URL, an id or an address never becomes one. */
export interface FinishedRequest {
  readonly method: string
  /** The pattern of the route, such as `/laps/:lapId`. Undefined if no route matched. */
  readonly route: string | undefined
  /** Null if the client left before the answer began. */
  readonly status: number | null
  /** Undefined for a request that was refused before it reached a route. */
  readonly durationMs?: number
}

export function observeRequest({ method, route = 'none', status, durationMs }: FinishedRequest): void {
  const labels = { method: KNOWN_METHODS.has(method) ? method : 'other', route }
  requests.inc({ ...labels, status: status ?? 'none' })
  if (durationMs !== undefined) durations.observe(labels, durationMs / 1000)
}

const KNOWN_METHODS = new Set(METHODS)
