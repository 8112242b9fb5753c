import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import { AppError } from '@lapwing/http'
import { ibtLimits } from '@lapwing/telemetry'
import type { FastifyRequest } from 'fastify'
import type { PreviewErrorCode } from '../errors.ts'

const { MAX_FILE_BYTES } = ibtLimits

/** Bytes of a form besides the file: boundaries, headers, a few fields. */
export const MAX_FORM_BYTES = 65_536

export interface ReceiveTimes {
  /** Longest time without a byte. After it the upload fails. */
  readonly idleMs: number
  /** Longest time until the whole file has arrived. */
  readonly totalMs: number
}

/** Called during the upload with the bytes of the file written so far, so that a reader can start early. */
export type OnWritten = (bytes: number) => void

/**
 * Streams the form's one file to a new file at `path`, at most `MAX_FILE_BYTES` of it. Resolves when the
 * whole form has arrived and the file is written.
 *
 * Rejects with an `AppError` as soon as it sees an error. Nothing writes any more then, and the rest of the
 * request is unread. In all cases the caller removes the file at `path`.
 */
export async function receiveFile(
  request: FastifyRequest,
  path: string,
  times: ReceiveTimes,
  onWritten: OnWritten = () => {},
): Promise<void> {
  if (!request.isMultipart()) throw errorOf('preview.unsupported_media_type')
  if (Number(request.headers['content-length'] ?? 0) > MAX_FILE_BYTES + MAX_FORM_BYTES) {
    throw errorOf('preview.too_large')
  }
  const stop = new AbortController()
  const stopWatching = watch(request, times, error => stop.abort(error))
  try {
    await readForm(request, path, stop, onWritten)
  } catch (error) {
    throw translate(stop.signal.aborted ? stop.signal.reason : error)
  } finally {
    stopWatching()
    // The form parser must not read the rest of the body.
    request.raw.unpipe()
  }
}

async function readForm(
  request: FastifyRequest,
  path: string,
  stop: AbortController,
  onWritten: OnWritten,
): Promise<void> {
  const stopped = once(stop.signal, 'abort').then(() => {
    throw stop.signal.reason
  })
  // Without this, a rejection that nothing waits for would end the process.
  stopped.catch(() => undefined)
  const parts = request.parts({
    throwFileSizeLimit: false,
    limits: { fileSize: MAX_FILE_BYTES, files: 1, fields: 10, parts: 11, fieldSize: 1024, headerPairs: 20 },
    // Fewer, larger steps: each step of the default 64 KB costs the parser and the disk one turn.
    fileHwm: STREAM_BYTES,
    highWaterMark: STREAM_BYTES,
  } as Parameters<FastifyRequest['parts']>[0])
  let hasFile = false
  for (;;) {
    const { value: part, done } = await Promise.race([parts.next(), stopped])
    if (done) break
    if (part.type !== 'file') continue
    if (part.fieldname !== 'file') throw errorOf('preview.no_file')
    if (!/\.ibt$/i.test(part.filename ?? '')) throw errorOf('preview.wrong_type')
    await writeFile(part, path, stop, onWritten)
    hasFile = true
  }
  if (!hasFile) throw errorOf('preview.no_file')
}

const STREAM_BYTES = 1_048_576

async function writeFile(
  part: MultipartFile,
  path: string,
  stop: AbortController,
  onWritten: OnWritten,
): Promise<void> {
  part.file.once('limit', () => stop.abort(errorOf('preview.too_large')))
  const file = await open(path, 'wx', 0o600)
  try {
    const target = file.createWriteStream({ highWaterMark: STREAM_BYTES })
    const written = pipeline(part.file, target, { signal: stop.signal })
    part.file.on('data', () => onWritten(target.bytesWritten))
    await written
  } finally {
    // Waits for a write in progress, so that none follows.
    await file.close()
  }
}

/** Calls `fail` if too many bytes arrive, or none for too long. Returns a function that stops it. */
function watch(request: FastifyRequest, times: ReceiveTimes, fail: (error: AppError) => void): () => void {
  const { raw } = request
  let received = 0
  const count = (chunk: Uint8Array) => {
    received += chunk.byteLength
    if (received > MAX_FILE_BYTES + MAX_FORM_BYTES) fail(errorOf('preview.too_large'))
  }
  const stall = () => fail(errorOf('preview.upload_stalled', { connection: 'close' }))
  const total = setTimeout(stall, times.totalMs)
  raw.on('data', count)
  raw.setTimeout(times.idleMs, stall)
  return () => {
    clearTimeout(total)
    raw.off('data', count)
    raw.setTimeout(0)
    raw.off('timeout', stall)
  }
}

function errorOf(code: PreviewErrorCode, headers: Readonly<Record<string, string>> = {}): AppError {
  return new AppError(code, { headers })
}

/** Converts errors of the form parser, the disk and the connection to errors of this service. */
function translate(error: unknown): unknown {
  if (error instanceof AppError) return error
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'FST_FILES_LIMIT') return errorOf('preview.more_than_one_file')
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('preview.busy', { headers: { 'retry-after': '30' }, cause: error })
  }
  if (syscall !== undefined && syscall !== 'read') return error
  return new AppError('preview.bad_form', { cause: error })
}
