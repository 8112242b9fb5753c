import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Load {
  readonly connections: number
  readonly seconds: number
  readonly headers?: Readonly<Record<string, string>>
}

export interface Served {
  readonly perSecond: number
  readonly medianMs: number
}

/**
 * Sends requests with wrk on one processor: each connection sends the next one when it has its answer.
 *
 * @param processor number of the processor, from 0
 * @throws if an answer is no 2xx, or a connection fails
 */
export async function runWrk(
  processor: number,
  url: string,
  { connections, seconds, headers = {} }: Load,
): Promise<Served> {
  const { stdout } = await run(
    'taskset',
    [
      ...['-c', String(processor), 'wrk', '--latency', '-t1', `-c${connections}`, `-d${seconds}s`],
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      url,
    ],
    { timeout: (seconds + 30) * 1_000 },
  )
  const failed = /^ *(Non-2xx|Socket errors).*$/m.exec(stdout)
  if (failed !== null) throw new Error(`${url}: ${failed[0].trim()}`)
  return {
    perSecond: Number(/Requests\/sec: +([\d.]+)/.exec(stdout)![1]),
    medianMs: milliseconds(/^ +50% +([\d.]+[a-z]+)$/m.exec(stdout)![1]!),
  }
}

/** Reads a duration as wrk prints it. */
function milliseconds(text: string): number {
  const [, value, unit] = /^([\d.]+)(us|ms|s)$/.exec(text)!
  return Number(value) * { us: 0.001, ms: 1, s: 1_000 }[unit as 'us' | 'ms' | 's']
}
