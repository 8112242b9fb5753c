import { AppError } from '@lapwing/http'

/** Bounds the files under way and the answers that are not taken yet, and with them disk and memory. */
export interface UploadSlots {
  /**
   * Takes a slot for a client and returns the function that gives it back. Throws `preview.busy` when
   * all are taken, and `preview.rate_limited` when half of all are this client's: whoever sends and
   * reads as slowly as is allowed would else keep everybody out.
   */
  take(client: string): () => void
}

export function createUploadSlots(count: number): UploadSlots {
  const countEach = Math.ceil(count / 2)
  const takenBy = new Map<string, number>()
  let taken = 0

  function add(client: string, change: 1 | -1): void {
    taken += change
    const own = (takenBy.get(client) ?? 0) + change
    if (own === 0) takenBy.delete(client)
    else takenBy.set(client, own)
  }

  return {
    take(client) {
      if (taken >= count) throw new AppError('preview.busy', { headers })
      if ((takenBy.get(client) ?? 0) >= countEach)
        throw new AppError('preview.rate_limited', { detail, headers })
      add(client, 1)
      let given = false
      return () => {
        if (given) return
        given = true
        add(client, -1)
      }
    },
  }
}

const headers = { 'retry-after': '2' }
const detail = 'You are sending several files at once. Please wait until one of them is read.'
