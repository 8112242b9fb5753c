import type { Socket } from 'node:net'
import { circuitBreaker, handleAll, SamplingBreaker } from 'cockatiel'
import { buildConnector } from 'undici'

export interface CircuitConnectorOptions {
  /** Milliseconds that one connection may take. */
  readonly timeoutMs: number
  /** Milliseconds for which the open circuit tries no connection. */
  readonly openMs: number
  readonly onOpen: () => void
}

/**
 * Returns undici's connector behind a circuit breaker. Once four of five of at least twenty connections within
 * ten seconds have failed, the circuit is open: a new connection fails immediately instead of after its time-out.
 * After `openMs` the circuit is half open: one connection is tried while others wait for its outcome. It counts
 * connections and not answers: a slow answer is the time-out's business, and one of 503 has its own words.
 */
export function circuitConnector({
  timeoutMs,
  openMs,
  onOpen,
}: CircuitConnectorOptions): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs })
  const circuit = circuitBreaker(handleAll, {
    halfOpenAfter: openMs,
    breaker: new SamplingBreaker({
      threshold: FAILING_SHARE,
      duration: SAMPLED_MS,
      minimumRps: (LEAST_SAMPLES / SAMPLED_MS) * 1_000,
    }),
  })
  circuit.onBreak(onOpen)
  return (options, done) => {
    circuit
      .execute(
        () =>
          new Promise<Socket>((resolve, reject) =>
            connect(options, (error, socket) => (error === null ? resolve(socket) : reject(error))),
          ),
      )
      .then(
        socket => done(null, socket),
        (error: Error) => done(error, null),
      )
  }
}

const FAILING_SHARE = 0.8
const SAMPLED_MS = 10_000
const LEAST_SAMPLES = 20
