import { createInternalService } from '@lapwing/internal'

/**
 * Finds out which of these sessions have files that wait to be judged or are judged now. Throws
 * `ServiceUnavailable` if ingest does not answer in time.
 */
export type FindJudged = (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>

export function createFindJudged(url: URL, key: Uint8Array): FindJudged {
  const ingest = createInternalService({ name: 'ingest', url, key, timeoutMs: 5_000 })
  return async sessionIds => {
    const { session_ids: judged } = await ingest.ask('findJudgedSessions', client =>
      client.POST('/internal/judged-sessions', { body: { session_ids: [...sessionIds] } }),
    )
    return new Set(judged)
  }
}
