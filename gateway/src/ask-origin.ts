import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { stopSignal, type Upstream } from './upstream.ts'

/** Milliseconds. A refusal waits for the answer. */
const ASK_MS = 1_000

/** Asks a service, as a browser does before a call, which origins may read its answers at an address. */
export type AskOrigin = (address: string, origin: string) => Promise<IncomingHttpHeaders>

/** Asks over the connections of the upstream. Rejects without an answer within a second. */
export function createAskOrigin({ dispatcher, origin: service }: Upstream): AskOrigin {
  return async (address, origin) => {
    const signal = AbortSignal.timeout(ASK_MS)
    const { promise, resolve, reject } = Promise.withResolvers<IncomingHttpHeaders>()
    const headers = { origin, 'access-control-request-method': 'POST', [stopSignal]: signal }
    dispatcher.request({ origin: service, path: address, method: 'OPTIONS', headers }, (error, answer) => {
      if (error !== null) return reject(error)
      answer.body.on('error', () => {}).resume()
      resolve(answer.headers)
    })
    // The upstream does not report an aborted request.
    return Promise.race([promise, once(signal, 'abort').then(() => Promise.reject(signal.reason))])
  }
}
