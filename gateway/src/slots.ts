import { AppError } from '@lapwing/http'
import type { FastifyRequest } from 'fastify'
import { clientAddress, limitKey } from './client-address.ts'
import type { GatewayCode } from './errors.ts'
import type { Route } from './routes.ts'

/** A client by which slots are counted, and how many it may hold. */
interface Holder {
  readonly key: string
  readonly most: number
}

/**
 * Bounds requests that are under way at once: all of them by `max`, and those of each holder. Returns a
 * function that takes a slot, and returns how to give it back. It throws `gateway.overloaded` if all slots
 * are taken, and `gateway.rate_limited` if a holder has its share.
 */
export function createSlots(max: number): (holders: readonly Holder[]) => () => void {
  const held = new Map<string, number>()
  let underWay = 0

  return holders => {
    if (holders.some(({ key, most }) => (held.get(key) ?? 0) >= most)) throw shareTaken()
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

/** Lists the clients that a request counts for, with the share of each. */
export function holdersOf(
  request: FastifyRequest,
  caller: Route['caller'],
  share: number | undefined,
): readonly Holder[] {
  if (share === undefined) return []
  const address = limitKey(clientAddress(request))
  if (caller !== 'signed-in' || request.signedIn === null) return [{ key: address, most: share }]
  return [
    { key: `user ${request.signedIn.userId}`, most: share },
    // Several people may share an address, such as a household.
    { key: address, most: 2 * share },
  ]
}

function shareTaken(): AppError<GatewayCode> {
  return new AppError<GatewayCode>('gateway.rate_limited', {
    detail: 'Many of your requests are under way. Please let some of them finish.',
    headers: { 'retry-after': '1' },
  })
}
