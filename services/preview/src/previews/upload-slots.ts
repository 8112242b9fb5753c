import { AppError } from '@lapwing/http'

/** Bounds the files under way and the answers that are not taken yet, and with them disk and memory. */
export interface UploadSlots {
  /**
   * Takes a slot for a client. Throws `preview.busy` when all are taken, and `preview.rate_limited` when
   * half of all are this client's: whoever sends and reads as slowly as is allowed would else keep
   * everybody out.
   */
  take(client: string): UploadSlot
}

export interface UploadSlot {
  /**
   * Says how large the answer is that lies in memory until it is taken. Throws `preview.busy` when it
   * and those of all other slots would be more than `MEAN_ANSWER_BYTES` a slot, unless it is alone.
   */
  hold(bytes: number): void
  giveBack(): void
}

/**
 * The answer for a recorded file of 100 MB is 12 to 23 MB as JSON. One of as many rows as are read has
 * 200 MB, and eight of them more than a process of 2 GB has room for.
 */
export const MEAN_ANSWER_BYTES = 64 * 1024 * 1024

export function createUploadSlots(count: number): UploadSlots {
  const countEach = Math.ceil(count / 2)
  const takenBy = new Map<string, number>()
  let taken = 0
  let held = 0

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
        throw new AppError('preview.rate_limited', { detail: DETAIL, headers })
      add(client, 1)
      let given = false
      let own = 0
      return {
        hold(bytes) {
          if (held > 0 && held + bytes > count * MEAN_ANSWER_BYTES)
            throw new AppError('preview.busy', { headers })
          own += bytes
          held += bytes
        },
        giveBack() {
          if (given) return
          given = true
          held -= own
          add(client, -1)
        },
      }
    },
  }
}

const headers = { 'retry-after': '2' }
const DETAIL = 'You are sending several files at once. Please wait until one of them is read.'
