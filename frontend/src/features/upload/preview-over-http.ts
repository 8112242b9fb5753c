import type { Preview } from '@lapwing/telemetry'
import { createApiFetch, RequestTimeoutError } from '#shared/api/api-fetch.ts'
import { readApiError } from '#shared/api/problem.ts'
import { previewFailed, ReadError } from '#shared/files/read-error.ts'

interface PreviewOverHttpDeps {
  readonly fetch: typeof globalThis.fetch
  readonly newRequestId: () => string
  readonly decode: (bytes: Uint8Array) => Preview
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
}

/** Milliseconds. A slow line needs longer for 100 MB than other calls have. */
const TIMEOUT_MS = 60_000

/**
 * Posts the file once to the preview service and decodes its answer of packed columns (D-23).
 *
 * @throws ReadError with the service's own sentence, the time-out's, or "Preview failed"
 */
export async function previewOverHttp(file: Blob, name: string, deps: PreviewOverHttpDeps): Promise<Preview> {
  const { fetch, newRequestId, decode, signal, timeoutMs = TIMEOUT_MS } = deps
  const form = new FormData()
  form.set('file', file, name)
  try {
    const response = await createApiFetch({ fetch, newRequestId, timeoutMs })(previewUrl(), {
      method: 'POST',
      body: form,
      headers: { accept: 'application/x-protobuf' },
      ...(signal && { signal }),
    })
    if (!response.ok) {
      const error = await readApiError(response)
      throw error.isSentence
        ? new ReadError(error.code ?? 'page.preview_failed', error.message)
        : previewFailed()
    }
    return decode(new Uint8Array(await response.arrayBuffer()))
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (error instanceof ReadError) throw error
    if (error instanceof RequestTimeoutError) throw new ReadError('page.timeout', error.message)
    throw previewFailed()
  }
}

/** Returns an absolute URL, because a relative one has no meaning outside a page, as in tests. */
function previewUrl(): URL {
  return new URL('/api/v1/preview', globalThis.location?.origin ?? 'http://localhost')
}
