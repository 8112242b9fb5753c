import { AppError } from '@lapwing/http'
import type { GatewayCode } from './errors.ts'

export interface BodyRoomLimits {
  /** Bytes of all bodies together. */
  readonly bytes: number
  /** Bytes of one client's bodies. */
  readonly bytesPerClient: number
}

/** Room in memory for one body. */
export interface BodyRoom {
  /**
   * Makes room for a body of that many bytes. Throws `gateway.rate_limited` if the client has too many
   * bytes here already, and `gateway.overloaded` if all clients together have.
   */
  grow(bytes: number): void
  release(): void
}

/** A body up to here needs no room: what a flood of large bodies takes is not missing for a sign-in. */
const FREE_BYTES = 4 * 1024

/** Bounds the memory of bodies that the gateway reads whole. Returns a function that opens room for a client. */
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
        const again = { headers: { 'retry-after': '1' } }
        if ((byClient.get(client) ?? 0) + change > bytesPerClient) {
          throw new AppError<GatewayCode>('gateway.rate_limited', again)
        }
        if (all + change > bytes) throw new AppError<GatewayCode>('gateway.overloaded', again)
        add(change)
      },
      release() {
        if (own > 0) add(-own)
      },
    }
  }
}
