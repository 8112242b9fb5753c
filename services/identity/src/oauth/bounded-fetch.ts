const MAX_BYTES = 256 * 1024

/**
 * Creates a `fetch` for a provider. Each call reads the whole body within `timeoutMs`, and all calls
 * together take at most `totalMs`. Rejects after a time-out, for more than 256 KiB and for redirects.
 */
export function createBoundedFetch({
  timeoutMs,
  totalMs,
}: {
  readonly timeoutMs: number
  readonly totalMs: number
}): (url: string, init?: RequestInit) => Promise<Response> {
  const total = AbortSignal.timeout(totalMs)
  return async (url, init = {}) => {
    const timeout = AbortSignal.any([AbortSignal.timeout(timeoutMs), total])
    const response = await fetch(url, {
      ...init,
      redirect: 'error',
      headers: { 'user-agent': 'Lapwing', ...(init.headers as Record<string, string>) },
      signal: init.signal ? AbortSignal.any([init.signal, timeout]) : timeout,
    })
    return new Response(await readWhole(response), { status: response.status, headers: response.headers })
  }
}

async function readWhole(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > MAX_BYTES) throw new Error(`the provider's answer is larger than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
