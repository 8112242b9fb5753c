import { AppError } from '@lapwing/http'

/** Bounds the files under way, and with them disk and memory. */
export interface UploadSlots {
  /** Takes a slot and returns the function that gives it back. Throws `preview.busy` when all are taken. */
  take(): () => void
}

export function createUploadSlots(count: number): UploadSlots {
  let taken = 0
  return {
    take() {
      if (taken >= count) throw new AppError('preview.busy', { headers: { 'retry-after': '2' } })
      taken++
      let given = false
      return () => {
        if (given) return
        given = true
        taken--
      }
    },
  }
}
