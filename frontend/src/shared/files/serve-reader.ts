import { IbtError } from '@lapwing/telemetry'
import { previewFailed, ReadError } from './read-error.ts'
import type { ReaderMessage, ReaderRequest } from './reader-protocol.ts'

/**
 * Makes this worker a reader: runs each task that it receives, and answers with its result or its sentence. Call it
 * once. `buffersOf` returns the buffers of a result that move to the page without a copy.
 */
export function serveReader<Task, Result>(
  run: (task: Task, onProgress: (share: number) => void) => Promise<Result>,
  buffersOf: (result: Result) => ArrayBuffer[] = () => [],
): void {
  const post = (message: ReaderMessage<Result>, transfer: ArrayBuffer[] = []) =>
    postMessage(message, { transfer })
  addEventListener('message', async ({ data: { job, task } }: MessageEvent<ReaderRequest<Task>>) => {
    try {
      const result = await run(
        task,
        inSteps(share => post({ kind: 'progress', job, share })),
      )
      post({ kind: 'done', job, result }, buffersOf(result))
    } catch (error) {
      const { code, message } =
        error instanceof IbtError || error instanceof ReadError ? error : previewFailed()
      post({ kind: 'failed', job, code, message })
    }
  })
  post({ kind: 'ready' })
}

/** Reports whole per cents only, because every message costs the page time. */
function inSteps(notify: (share: number) => void): (share: number) => void {
  let reported = 0
  return share => {
    if (share < reported + 0.01) return
    reported = share
    notify(share)
  }
}
