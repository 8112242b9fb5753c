import { IbtError, previewSession } from '@lapwing/telemetry'
import { newRequestId } from '#shared/api/request-id.ts'
import { blobSource } from './blob-source.ts'
import type { ParseMessage, ParseRequest, ParseResult, ParseTask } from './parse-protocol.ts'
import { previewOverHttp } from './preview-over-http.ts'
import { previewFailed, ReadError } from './read-error.ts'
import { seriesBuffers } from './series-buffers.ts'

const post = (message: ParseMessage, transfer: ArrayBuffer[] = []) => postMessage(message, { transfer })

addEventListener('message', async ({ data: { job, task } }: MessageEvent<ParseRequest>) => {
  try {
    const result = await run(
      task,
      inSteps(share => post({ kind: 'progress', job, share })),
    )
    post({ kind: 'done', job, result }, seriesBuffers(result.preview))
  } catch (error) {
    const { code, message } =
      error instanceof IbtError || error instanceof ReadError ? error : previewFailed()
    post({ kind: 'failed', job, code, message })
  }
})
post({ kind: 'ready' })
// So the sample opens without a network. If this fails, the sample loads it again.
loadSample().catch(() => undefined)

/** Reports whole per cents only, because every message costs the page time. */
function inSteps(notify: (share: number) => void): (share: number) => void {
  let reported = 0
  return share => {
    if (share < reported + 0.01) return
    reported = share
    notify(share)
  }
}

// Code for rare tasks loads on demand.
async function run(task: ParseTask, onProgress: (share: number) => void): Promise<ParseResult> {
  if (task.kind === 'server') {
    const { file, name } = task
    const { decodePreview } = await import('@lapwing/telemetry/wire')
    const preview = await previewOverHttp(file, name, {
      fetch: (input, init) => fetch(input, init),
      newRequestId,
      decode: decodePreview,
    })
    return { preview, sizeBytes: file.size }
  }
  const file = task.kind === 'file' ? task.file : await sampleFile()
  return { preview: await previewSession(blobSource(file), { onProgress }), sizeBytes: file.size }
}

function loadSample() {
  return import('@lapwing/simulator/sample')
}

async function sampleFile(): Promise<Blob> {
  const { makeSampleSession } = await loadSample()
  // Its bytes are never in shared memory, which Blob requires and the type does not say.
  return new Blob([makeSampleSession() as Uint8Array<ArrayBuffer>])
}
