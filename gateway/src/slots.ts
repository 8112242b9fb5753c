import { AppError } from '@lapwing/http'
import type { FastifyRequest } from 'fastify'
import type { GatewayCode } from './errors.ts'
import { holderKey } from './find-principal.ts'
import type { Access } from './routes.ts'

/** A client that slots are counted for. */
export interface Holder {
  readonly key: string
  /** How many shares of a route it may hold. */
  readonly shares: number
}

export interface SlotLimits {
  /** Slots of all clients together. */
  readonly max: number
  /** Slots of one client; undefined if one client may hold them all. */
  readonly share: number | undefined
}

/**
 * Bounds the requests in progress. Returns a function that takes a slot and returns its release. That
 * function throws `gateway.overloaded` if all slots are in use, and `gateway.rate_limited` if a holder has
 * used its share. Nothing waits for a slot, so a queue such as `p-limit` does not fit.
 */
export function createSlots({ max, share }: SlotLimits): (holders: readonly Holder[]) => () => void {
  const held = new Map<string, number>()
  let underWay = 0

  return holders => {
    if (share !== undefined && holders.some(({ key, shares }) => (held.get(key) ?? 0) >= shares * share)) {
      throw shareExceeded()
    }
    if (underWay >= max) {
      throw new AppError<GatewayCode>('gateway.overloaded', { headers: { 'retry-after': '1' } })
    }
    underWay += 1
    for (const { key } of holders) held.set(key, (held.get(key) ?? 0) + 1)
    return () => {
      underWay -= 1
      for (const { key } of holders) {
        const left = held.get(key)! - 1
        if (left === 0) held.delete(key)
        else held.set(key, left)
      }
    }
  }
}

/** Lists the holders whose shares a request from this network uses. */
export function holdersOf(request: FastifyRequest, access: Access, network: string): readonly Holder[] {
  if (access !== 'signed-in' || request.signedIn === null) return [{ key: network, shares: 1 }]
  return [
    { key: holderKey(request.signedIn), shares: 1 },
    // Several drivers may share a network, such as a household.
    { key: network, shares: 2 },
  ]
}

function shareExceeded(): AppError<GatewayCode> {
  return new AppError<GatewayCode>('gateway.rate_limited', {
    detail: 'Many of your requests are still running. Please let some of them finish.',
    headers: { 'retry-after': '1' },
  })
}
