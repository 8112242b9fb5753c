import { AppError } from '@lapwing/http'
import type { GatewayCode } from './errors.ts'

export interface BodyRoomLimits {
  /** Bytes of all bodies together. */
  readonly bytes: number
  /** Bytes of one client's bodies. */
  readonly bytesPerClient: number
}

/** Memory reserved for one body. */
export interface BodyRoom {
  /**
   * Reserves memory for a body of that many bytes. Throws `gateway.rate_limited` if the client's bodies hold
   * too many bytes already, and `gateway.overloaded` if the bodies of all clients do.
   */
  grow(bytes: number): void
  release(): void
}

/** Bytes of a body that need no reservation, so that a flood of large bodies never blocks a sign-in. */
const FREE_BYTES = 4 * 1024

/** Bounds the memory of bodies that are read whole. Returns a function that opens a client's room. */
export function createBodyRooms({ bytes, bytesPerClient }: BodyRoomLimits): (client: string) => BodyRoom {
  const byClient = new Map<string, number>()
  let all = 0

  return client => {
    let own = 0
    const add = (change: number) => {
      own += change
      all += change
      const left = (byClient.get(client) ?? 0) + change
      if (left === 0) byClient.delete(client)
      else byClient.set(client, left)
    }
    return {
      grow(size) {
        const change = Math.max(0, size - FREE_BYTES) - own
        if (change <= 0) return
        const retrySoon = { headers: { 'retry-after': '1' } }
        if ((byClient.get(client) ?? 0) + change > bytesPerClient) {
          throw new AppError<GatewayCode>('gateway.rate_limited', retrySoon)
        }
        if (all + change > bytes) throw new AppError<GatewayCode>('gateway.overloaded', retrySoon)
        add(change)
      },
      release() {
        if (own > 0) add(-own)
      },
    }
  }
}
