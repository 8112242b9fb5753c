import { RequestTimeoutError } from '#shared/api/api-fetch.ts'
import type { After } from '#shared/time/timers.ts'
import { SaveError } from './save-error.ts'
import type { Ticket } from './save-lap-api.ts'

export interface PostOptions {
  readonly signal: AbortSignal
  /** Called with the share sent, 0..1. */
  readonly onProgress: (share: number) => void
}

/** Posts a file to the object store by the form of its ticket. Throws a `SaveError`, or the signal's reason. */
export type PostToStore = (ticket: Ticket, file: File, options: PostOptions) => Promise<void>

interface PostToStoreDeps {
  /** Not `fetch`, which does not say how much was sent. */
  readonly newRequest: () => XMLHttpRequest
  readonly after: After
}

/** Milliseconds without a byte sent, or without an answer once all are, after which the store is given up. */
export const STALL_MS = 30_000

/** File names can hold a person's name, which is nobody's business there (D-12). */
const FILE_NAME = 'session.ibt'

const MAX_TEXT_LENGTH = 2000

export function createPostToStore({ newRequest, after }: PostToStoreDeps): PostToStore {
  return ({ url, fields }, file, { signal, onProgress }) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const request = newRequest()
      let stopTimer = () => {}
      const end = (settle: () => void) => {
        stopTimer()
        signal.removeEventListener('abort', giveUp)
        settle()
      }
      const fail = (error: unknown) => end(() => reject(error))
      const giveUp = () => {
        fail(signal.reason)
        request.abort()
      }
      const watch = () => {
        stopTimer()
        stopTimer = after(STALL_MS, () => {
          fail(new SaveError('post', new RequestTimeoutError(STALL_MS).message))
          request.abort()
        })
      }
      signal.addEventListener('abort', giveUp)
      request.upload.addEventListener('progress', ({ loaded, total }) => {
        watch()
        if (total > 0) onProgress(loaded / total)
      })
      request.addEventListener('error', () => fail(new SaveError('post', 'network error')))
      request.addEventListener('load', () => {
        const { status, statusText, responseText } = request
        if (status >= 200 && status < 300) return end(resolve)
        const what = `${status} ${statusText} ${responseText.slice(0, MAX_TEXT_LENGTH)}`
        fail(new SaveError('post', what, { isRefused: status >= 400 && status < 500 }))
      })
      request.open('POST', url)
      watch()
      request.send(formOf(fields, file))
    })
}

/** The file comes last: the store takes no field after it. */
function formOf(fields: Ticket['fields'], file: File): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', file, FILE_NAME)
  return form
}
