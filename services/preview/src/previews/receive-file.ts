import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import { AppError } from '@lapwing/http'
import type { FastifyRequest } from 'fastify'
import type { PreviewErrorCode } from '../errors.ts'

/** 100 MB (D-17). */
export const MAX_FILE_BYTES = 104_857_600

/** What a form may hold besides the file: boundaries, headers, a few fields. */
export const MAX_FORM_BYTES = 65_536

export interface ReceiveTimes {
  /** Without a byte for so long, the upload is given up. */
  readonly idleMs: number
  /** The whole file must have arrived by then. */
  readonly totalMs: number
}

/** Told now and then how many bytes of the file are written, so that its reader need not wait for all of them. */
export type OnWritten = (bytes: number) => void

/**
 * Streams the form's one file to a new file at `path`, never more than `MAX_FILE_BYTES` of it, and
 * resolves when the whole form has arrived and all of it is written. Otherwise it throws an
 * `AppError` as soon as the fault is seen, with nothing left that still writes; the file at `path`
 * is the caller's to remove either way, and the rest of the request is still unread.
 */
export async function receiveFile(
  request: FastifyRequest,
  path: string,
  times: ReceiveTimes,
  onWritten: OnWritten = () => {},
): Promise<void> {
  if (!request.isMultipart()) throw refusal('preview.unsupported_media_type')
  if (Number(request.headers['content-length'] ?? 0) > MAX_FILE_BYTES + MAX_FORM_BYTES) {
    throw refusal('preview.too_large')
  }
  const stop = new AbortController()
  const stopWatching = watch(request, times, error => stop.abort(error))
  try {
    await readForm(request, path, stop, onWritten)
  } catch (error) {
    throw translate(stop.signal.aborted ? stop.signal.reason : error)
  } finally {
    stopWatching()
    // What is left of the body is not for the form parser any more.
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
  // Its rejection is of interest only while something waits for it.
  stopped.catch(() => undefined)
  const parts = request.parts({
    throwFileSizeLimit: false,
    limits: { fileSize: MAX_FILE_BYTES, files: 1, fields: 10, parts: 11, fieldSize: 1024, headerPairs: 20 },
    // Fewer, larger steps: the default of 64 KB costs a turn of the parser and of the disk each.
    fileHwm: STREAM_BYTES,
    highWaterMark: STREAM_BYTES,
  } as Parameters<FastifyRequest['parts']>[0])
  let hasFile = false
  for (;;) {
    const { value: part, done } = await Promise.race([parts.next(), stopped])
    if (done) break
    if (part.type !== 'file') continue
    if (part.fieldname !== 'file') throw refusal('preview.no_file')
    if (!/\.ibt$/i.test(part.filename ?? '')) throw refusal('preview.wrong_type')
    await writeFile(part, path, stop, onWritten)
    hasFile = true
  }
  if (!hasFile) throw refusal('preview.no_file')
}

const STREAM_BYTES = 1_048_576

async function writeFile(
  part: MultipartFile,
  path: string,
  stop: AbortController,
  onWritten: OnWritten,
): Promise<void> {
  part.file.once('limit', () => stop.abort(refusal('preview.too_large')))
  const file = await open(path, 'wx', 0o600)
  try {
    const target = file.createWriteStream({ highWaterMark: STREAM_BYTES })
    const written = pipeline(part.file, target, { signal: stop.signal })
    part.file.on('data', () => onWritten(target.bytesWritten))
    await written
  } finally {
    // Waits for a write that is under way, so that none comes after.
    await file.close()
  }
}

/** Watches the bytes as they arrive; calls `fail` once when there are too many, or none for too long. */
function watch(request: FastifyRequest, times: ReceiveTimes, fail: (error: AppError) => void): () => void {
  const { raw } = request
  let received = 0
  const count = (chunk: Uint8Array) => {
    received += chunk.byteLength
    if (received > MAX_FILE_BYTES + MAX_FORM_BYTES) fail(refusal('preview.too_large'))
  }
  const stall = () => fail(refusal('preview.upload_stalled', { connection: 'close' }))
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

function refusal(code: PreviewErrorCode, headers: Readonly<Record<string, string>> = {}): AppError {
  return new AppError(code, { headers })
}

/** The faults of the form's parser, of the disk and of the connection, as this service's own. */
function translate(error: unknown): unknown {
  if (error instanceof AppError) return error
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'FST_FILES_LIMIT') return refusal('preview.more_than_one_file')
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('preview.busy', { headers: { 'retry-after': '30' }, cause: error })
  }
  if (syscall !== undefined && syscall !== 'read') return error
  return new AppError('preview.bad_form', { cause: error })
}
