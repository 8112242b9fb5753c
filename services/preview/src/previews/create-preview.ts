import type { ServerResponse } from 'node:http'
import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/preview'
import type { TempFolder } from '@lapwing/files/temp-folder'
import { acceptedFormatOf } from '@lapwing/http'
import { clientKey } from '../client-key.ts'
import type { Config } from '../config.ts'
import { createHeadStart } from './head-start.ts'
import { PreviewCancelled, type PreviewPool } from './preview-pool.ts'
import { receiveFile } from './receive-file.ts'
import type { UploadSlots } from './upload-slots.ts'

interface Needs {
  readonly files: TempFolder
  readonly pool: PreviewPool
  readonly slots: UploadSlots
  readonly config: Pick<Config, 'uploadIdleMs' | 'uploadTotalMs' | 'answerTotalMs'>
}

/** Receives one file, lets the pool read it and replies with the session in the client's accepted format. */
export function createPreview({ files, pool, slots, config }: Needs): Handlers<operations>['createPreview'] {
  return async (request, reply) => {
    const slot = slots.take(clientKey(request))
    const path = files.newPath()
    const cancel = new AbortController()
    const onClose = () => cancel.abort()
    reply.raw.once('close', onClose)
    const format = acceptedFormatOf(request.headers)
    const headStart = createHeadStart({
      formBytes: Number(request.headers['content-length']),
      nowMs: () => performance.now(),
      begin: atMostBytes => pool.readAhead(path, atMostBytes, format, cancel.signal),
    })
    try {
      const times = { idleMs: config.uploadIdleMs, totalMs: config.uploadTotalMs }
      await receiveFile(request, path, times, headStart.wrote)
      const { body, etag } = (await headStart.finish()) ?? (await pool.read(path, format, cancel.signal))
      slot.hold(body.byteLength)
      reply.header('vary', 'Accept, Accept-Encoding').header('etag', etag).header('cache-control', 'no-store')
      if (format.encoding === 'gzip') reply.header('content-encoding', 'gzip')
      return reply.type(mediaTypes[format.representation]).send(body)
    } catch (error) {
      // The client has left, so there is nobody to answer.
      if (error instanceof PreviewCancelled) return reply.hijack()
      throw error
    } finally {
      headStart.giveUp()
      reply.raw.off('close', onClose)
      await files.removeFile(path)
      whenSent(reply.raw, config.answerTotalMs, slot.release)
    }
  }
}

/** Calls `then` when the client has received the whole answer, and aborts the answer after `withinMs`. */
function whenSent(answer: ServerResponse, withinMs: number, then: () => void): void {
  if (answer.closed) {
    then()
    return
  }
  const timer = setTimeout(() => answer.destroy(), withinMs)
  answer.once('close', () => {
    clearTimeout(timer)
    then()
  })
}

const mediaTypes = { json: 'application/json; charset=utf-8', protobuf: 'application/x-protobuf' } as const
