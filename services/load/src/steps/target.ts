import type { components } from '@lapwing/contracts/gateway'
import { ask, bodyOf, Failed } from './ask.ts'
import type { Http } from './http.ts'

/** The Lapwing under load. */
export interface Target {
  /** Origin of the gateway, such as `http://localhost:8080`. */
  readonly url: string
  /** Where identity answers; the gateway's own origin by default. */
  readonly identityUrl: string
  readonly publicToken: string
}

/** Reads what a client must know from `/config.json`. */
export async function findTarget(http: Http, url: string): Promise<Target> {
  const answer = await ask(http, { name: 'config', method: 'GET', url: `${url}/config.json` }, 200)
  const { identity } = bodyOf<components['schemas']['PageConfig']>(answer)
  if (!identity) throw new Failed('config', 'shows a Lapwing without accounts')
  return { url, identityUrl: identity.baseUrl || url, publicToken: identity.publicToken }
}
