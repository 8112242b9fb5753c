import { previewSession } from '@lapwing/telemetry'
import { newRequestId } from '#shared/api/request-id.ts'
import { blobSource } from '#shared/files/blob-source.ts'
import { loadSample, sampleFile } from '#shared/files/sample-file.ts'
import { serveReader } from '#shared/files/serve-reader.ts'
import type { ParseResult, ParseTask } from './parse-protocol.ts'
import { previewOverHttp } from './preview-over-http.ts'
import { seriesBuffers } from './series-buffers.ts'
import { isTooLarge } from './validate-file.ts'

serveReader<ParseTask, ParseResult>(run, result => seriesBuffers(result.preview))
// So the sample opens without a network. If this fails, the sample loads it again.
loadSample().catch(() => undefined)

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
  const readPreview = isTooLarge(file)
    ? (await import('@lapwing/telemetry/long-preview')).previewLongSession
    : previewSession
  return { preview: await readPreview(blobSource(file), { onProgress }), sizeBytes: file.size }
}
