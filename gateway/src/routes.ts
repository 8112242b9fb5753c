import { addresses } from '@lapwing/contracts/bind'

/** The services behind the gateway, by the name under which `Config.upstreams` holds their address. */
export type UpstreamName = 'preview'

/**
 * Who may call. Only `public` rows can be served until the gateway can verify an identity; it
 * refuses the others (`authorise.ts`).
 */
export type Caller = 'public' | 'signed-in' | 'optional'

export interface Route {
  /**
   * The contract's path. With `/*` at its end the row takes everything below it too. It is served
   * under `/api`, with and without its version (D-2).
   */
  readonly prefix: string
  readonly upstream: UpstreamName
  readonly caller: Caller
  readonly methods: readonly Method[]
  /** Bytes. Counted while they pass, so that a body without a stated length is held to it too. */
  readonly bodyLimit: number
  /** Milliseconds the upstream may take to begin its answer, and between two pieces of it. */
  readonly timeoutMs: number
  /** Requests under way at once; more are told to come back. */
  readonly concurrency: number
  readonly rateLimit: RateLimit
}

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface RateLimit {
  /** Requests an address may make in one window. IPv6 addresses count by their /64. */
  readonly max: number
  readonly windowMs: number
}

/** Every way into the product's API. A test holds it against the contracts, both ways. */
export const routes: readonly Route[] = [
  {
    prefix: '/v1/preview',
    upstream: 'preview',
    caller: 'public',
    methods: ['POST'],
    // The largest file (D-17) and a mebibyte for the form around it. The service measures the file
    // itself, and its refusal is the one a driver sees.
    bodyLimit: 100 * 1024 * 1024 + 1024 * 1024,
    // Longer than the service gives itself to read a file, so that its own answer is the one given.
    timeoutMs: 75_000,
    concurrency: 64,
    rateLimit: { max: 20, windowMs: 60_000 }, // D-17
  },
]

/** The addresses a row is served at, such as `/api/v1/preview` and `/api/preview`. */
export function routeAddresses(route: Route): readonly string[] {
  return addresses(route.prefix).map(address => `/api${address}`)
}
