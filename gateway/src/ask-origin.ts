import type { IncomingHttpHeaders } from 'node:http'
import { Stop } from './stop.ts'
import { stopKey, type Upstream } from './upstream.ts'

/** Milliseconds. A refusal waits for the answer. */
const ASK_MS = 1_000

/** Asks a service, as a browser does before a call, which origins may read its answers at an address. */
export type AskOrigin = (address: string, origin: string) => Promise<IncomingHttpHeaders>

/** Asks over the connections of the upstream. Rejects without an answer within a second. */
export function createAskOrigin({ dispatcher, origin: service }: Upstream): AskOrigin {
  return async (address, origin) => {
    const stop = new Stop()
    const { promise, resolve, reject } = Promise.withResolvers<IncomingHttpHeaders>()
    // The upstream does not report a request that was stopped.
    stop.once('abort', () => reject(stop.reason))
    const timer = setTimeout(() => stop.abort(new Error(`no answer within ${ASK_MS} ms`)), ASK_MS)
    const headers = { origin, 'access-control-request-method': 'POST', [stopKey]: stop }
    dispatcher.request({ origin: service, path: address, method: 'OPTIONS', headers }, (error, answer) => {
      if (error !== null) return reject(error)
      answer.body.on('error', () => {}).resume()
      resolve(answer.headers)
    })
    return promise.finally(() => clearTimeout(timer))
  }
}
