import { RequestTimeoutError } from '#shared/api/api-fetch.ts'
import type { After } from '#shared/time/timers.ts'
import { SaveError } from './save-error.ts'
import type { Ticket } from './save-lap-api.ts'

export interface PostOptions {
  readonly signal: AbortSignal
  /** Called with the share that is sent, 0..1. */
  readonly onProgress: (share: number) => void
}

/** Posts a file to the object store by its ticket. Rejects with a `SaveError`, or the signal's reason. */
export type PostToStore = (ticket: Ticket, file: File, options: PostOptions) => Promise<void>

interface PostToStoreDeps {
  /** Not `fetch`, which does not report how much is sent. */
  readonly newRequest: () => XMLHttpRequest
  readonly after: After
}

/** Milliseconds without a sent byte, or without an answer after the last one, before the post fails. */
export const STALL_MS = 30_000

/** Replaces the file's name, which can contain a person's name that the store must not learn (D-12). */
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
        signal.removeEventListener('abort', abort)
        settle()
      }
      const fail = (error: unknown) => end(() => reject(error))
      const abort = () => {
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
      signal.addEventListener('abort', abort)
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

/** Builds the form. The file comes last: the store ignores fields after it. */
function formOf(fields: Ticket['fields'], file: File): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', file, FILE_NAME)
  return form
}
