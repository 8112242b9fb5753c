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
        seldom(share => post({ kind: 'progress', job, share })),
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

/** Reports ten times a second, because every message costs the page a render. */
function seldom(notify: (share: number) => void): (share: number) => void {
  let nextMs = 0
  return share => {
    const nowMs = performance.now()
    if (nowMs < nextMs) return
    nextMs = nowMs + REPORT_EVERY_MS
    notify(share)
  }
}

const REPORT_EVERY_MS = 100
