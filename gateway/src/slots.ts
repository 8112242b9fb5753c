import { AppError } from '@lapwing/http'
import type { FastifyRequest } from 'fastify'
import type { GatewayCode } from './errors.ts'
import type { Access } from './routes.ts'

/** A client that slots are counted for. */
export interface Holder {
  readonly key: string
  /** How many shares of a row it may hold. */
  readonly shares: number
}

export interface SlotLimits {
  /** Of all clients together. */
  readonly max: number
  /** Of one client; undefined if one may hold them all. */
  readonly share: number | undefined
}

/**
 * Bounds requests that are under way at once. Returns a function that takes a slot, and returns how to give
 * it back. It throws `gateway.overloaded` if all slots are taken, and `gateway.rate_limited` if a holder has
 * its share.
 */
export function createSlots({ max, share }: SlotLimits): (holders: readonly Holder[]) => () => void {
  const held = new Map<string, number>()
  let underWay = 0

  return holders => {
    if (share !== undefined && holders.some(({ key, shares }) => (held.get(key) ?? 0) >= shares * share)) {
      throw shareTaken()
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

/** Lists the clients that a request from this address counts for. */
export function holdersOf(request: FastifyRequest, access: Access, address: string): readonly Holder[] {
  if (access !== 'signed-in' || request.signedIn === null) return [{ key: address, shares: 1 }]
  return [
    { key: `user ${request.signedIn.userId}`, shares: 1 },
    // Several people may share an address, such as a household.
    { key: address, shares: 2 },
  ]
}

function shareTaken(): AppError<GatewayCode> {
  return new AppError<GatewayCode>('gateway.rate_limited', {
    detail: 'Many of your requests are under way. Please let some of them finish.',
    headers: { 'retry-after': '1' },
  })
}
