import { AppError } from '@lapwing/http'

/** Bounds the files in progress and the answers that are not sent yet. This bounds disk and memory. */
export interface UploadSlots {
  /**
   * Takes a slot for a client. Throws `preview.busy` if all are in use, and `preview.rate_limited` if this
   * client holds half of them. Otherwise one slow client could block all others.
   */
  take(client: string): UploadSlot
}

export interface UploadSlot {
  /**
   * Reserves memory for an answer until it is sent. Throws `preview.busy` if the answers of all slots would
   * exceed `MEAN_ANSWER_BYTES` a slot. A single answer may have any size.
   */
  hold(bytes: number): void
  /** Frees the slot and its memory. Idempotent. */
  release(): void
}

/**
 * Memory for answers, a slot. The answer for a recorded file of 100 MB is 12 to 23 MB as JSON. With the
 * largest number of rows it is 200 MB, and eight of these do not fit into a process of 2 GB.
 */
export const MEAN_ANSWER_BYTES = 64 * 1024 * 1024

/** By hand: nothing waits for a slot, so a queue such as `p-limit` does not fit. */
export function createUploadSlots(count: number): UploadSlots {
  const countPerClient = Math.ceil(count / 2)
  const takenByClient = new Map<string, number>()
  let taken = 0
  let held = 0

  function add(client: string, change: 1 | -1): void {
    taken += change
    const own = (takenByClient.get(client) ?? 0) + change
    if (own === 0) takenByClient.delete(client)
    else takenByClient.set(client, own)
  }

  return {
    take(client) {
      if (taken >= count) throw new AppError('preview.busy', { headers })
      if ((takenByClient.get(client) ?? 0) >= countPerClient)
        throw new AppError('preview.rate_limited', { detail: DETAIL, headers })
      add(client, 1)
      let isReleased = false
      let own = 0
      return {
        hold(bytes) {
          if (held > 0 && held + bytes > count * MEAN_ANSWER_BYTES)
            throw new AppError('preview.busy', { headers })
          own += bytes
          held += bytes
        },
        release() {
          if (isReleased) return
          isReleased = true
          held -= own
          add(client, -1)
        },
      }
    },
  }
}

const headers = { 'retry-after': '2' }
const DETAIL = 'You are sending several files at the same time. Please wait until one of them is read.'
