import { createServiceTokenSigner } from '@lapwing/auth'

/**
 * Finds the uploads among these whose files wait for their verdict or are judged now. Rejects if ingest does
 * not answer in time.
 */
export type FindJudged = (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>

const TIMEOUT_MS = 5_000

/** Creates a client of `POST /internal/judged-sessions` of ingest. */
export function createFindJudged(ingestUrl: URL, internalKey: Uint8Array): FindJudged {
  const sign = createServiceTokenSigner(internalKey, 'ingest')
  return async sessionIds => {
    const response = await fetch(new URL('/internal/judged-sessions', ingestUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${await sign()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ session_ids: sessionIds }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new Error(`ingest answered ${response.status}`)
    }
    const { session_ids: judged } = (await response.json()) as { session_ids?: unknown }
    if (!Array.isArray(judged)) throw new Error('the answer of ingest has no list of judged files')
    return new Set(judged.map(String))
  }
}
