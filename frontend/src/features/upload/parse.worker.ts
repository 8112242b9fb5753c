import { IbtError, previewSession } from '@lapwing/telemetry'
import { makeSampleSession } from '@lapwing/telemetry/sample'
import { decodePreview } from '@lapwing/telemetry/wire'
import { newRequestId } from '#shared/api/request-id.ts'
import { blobSource } from './blob-source.ts'
import type { ParseMessage, ParseRequest, ParseResult, ParseTask } from './parse-protocol.ts'
import { previewOverHttp } from './preview-over-http.ts'
import { previewFailed, ReadError } from './read-error.ts'
import { seriesBuffers } from './series-buffers.ts'

const say = (message: ParseMessage, transfer: ArrayBuffer[] = []) => postMessage(message, { transfer })

addEventListener('message', async ({ data: { job, task } }: MessageEvent<ParseRequest>) => {
  try {
    const result = await run(task, share => say({ kind: 'progress', job, share }))
    say({ kind: 'done', job, result }, seriesBuffers(result.preview))
  } catch (error) {
    const { code, message } =
      error instanceof IbtError || error instanceof ReadError ? error : previewFailed()
    say({ kind: 'failed', job, code, message })
  }
})
say({ kind: 'ready' })

async function run(task: ParseTask, onProgress: (share: number) => void): Promise<ParseResult> {
  if (task.kind === 'server') {
    const { file, name } = task
    const preview = await previewOverHttp(file, name, {
      fetch: (input, init) => fetch(input, init),
      newRequestId,
      decode: decodePreview,
    })
    return { preview, sizeBytes: file.size }
  }
  const file = task.kind === 'file' ? task.file : new Blob([makeSampleSession()])
  return { preview: await previewSession(blobSource(file), { onProgress }), sizeBytes: file.size }
}
