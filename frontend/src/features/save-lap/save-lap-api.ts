import type { paths as IngestPaths, components as IngestTypes } from '@lapwing/contracts/ingest'
import type { paths as UploadPaths, components as UploadTypes } from '@lapwing/contracts/upload'
import { bodyOf, createApiClient, type SignedInDeps } from '#shared/api/api-client.ts'
import { newTraceparent } from '#shared/api/request-id.ts'
import {
  exactly,
  fieldsOf,
  finite,
  fit,
  listOf,
  optional,
  orNull,
  recordOf,
  text,
  whole,
} from '#shared/api/shapes.ts'
import { type Step, saveErrorOf } from './save-error.ts'

/** The URL and form fields with which a file is posted. */
export type Ticket = Readonly<UploadTypes['schemas']['Init']> & {
  /** Joins the calls about one file in the operator's traces. */
  readonly traceparent: string
}
export type SavedLap = Readonly<IngestTypes['schemas']['Saved']>
type Progress = IngestTypes['schemas']['Progress']
/** Reasons that are newer than this page are accepted: only one has its own text. */
type Skipped = Omit<IngestTypes['schemas']['Skipped'], 'skipped'> & { readonly skipped: string }

/** The result of ingesting a session. */
export type Outcome =
  | { readonly kind: 'saved'; readonly lap: SavedLap }
  /** `leftOut` complete laps of the file are not stored. */
  | { readonly kind: 'skipped'; readonly reason: string; readonly leftOut?: number }

export type IngestAnswer =
  | Outcome
  /** Not finished; ask again. */
  | { readonly kind: 'judging'; readonly ingestId: string; readonly share: number }

/** The calls to upload and ingest. Each rejects with a `SaveError`, or the signal's reason. */
export interface SaveLapApi {
  init(file: Pick<File, 'name' | 'size' | 'type'>, signal: AbortSignal): Promise<Ticket>
  complete(ticket: Ticket, originalName: string, signal: AbortSignal): Promise<void>
  ingest(ticket: Ticket, signal: AbortSignal): Promise<IngestAnswer>
  /** Fetches the progress by the `status_url` of an unfinished answer. */
  ingestState(ingestId: string, signal: AbortSignal): Promise<IngestAnswer>
}

interface SaveLapApiDeps extends SignedInDeps {
  /** `authorised` with the longer time limit that judging needs. */
  readonly slowAuthorised: typeof globalThis.fetch
}

/** Milliseconds that the server has to judge a file. */
export const INGEST_TIMEOUT_MS = 60_000

/** The specification's constant for a track that is not known yet. */
const UNKNOWN_TRACK = 'unknown'
const FILE_TYPE = 'application/octet-stream'
/** The contract's limit. A longer name loses its start, because its end holds the file type. */
const MAX_NAME_LENGTH = 1000

export function createSaveLapApi({ baseUrl, authorised, slowAuthorised }: SaveLapApiDeps): SaveLapApi {
  const upload = createApiClient<UploadPaths>({ baseUrl, fetch: authorised })
  const ingest = createApiClient<IngestPaths>({ baseUrl, fetch: authorised })
  const slowIngest = createApiClient<IngestPaths>({ baseUrl, fetch: slowAuthorised })
  return {
    init: ({ name, size, type }, signal) =>
      asStep('init', signal, async () => {
        const filename = name.slice(-MAX_NAME_LENGTH)
        const body = { filename, size, contentType: type || FILE_TYPE, track: UNKNOWN_TRACK }
        const headers = { traceparent: newTraceparent() }
        const init = upload.POST('/v1/upload/init', { body, headers, signal })
        return { ...(await bodyOf(init, isTicket, 'upload init')), ...headers }
      }),
    complete: ({ sessionId, key, traceparent }, originalName, signal) =>
      asStep('complete', signal, async () => {
        const body = { sessionId, key, originalName: originalName.slice(-MAX_NAME_LENGTH) }
        await upload.POST('/v1/upload/complete', { body, headers: { traceparent }, signal })
      }),
    ingest: ({ sessionId, key, traceparent }, signal) =>
      asStep('ingest', signal, async () => {
        const body = { sessionId, key }
        const call = { body, headers: { traceparent }, signal }
        return readAnswer(await slowIngest.POST('/laps/ingest-best-from-session', call))
      }),
    ingestState: (ingestId, signal) =>
      asStep('ingest', signal, async () => {
        const params = { path: { ingestId } }
        return readAnswer(await ingest.GET('/laps/ingests/{ingestId}', { params, signal }))
      }),
  }
}

async function asStep<T>(step: Step, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw signal.aborted ? signal.reason : saveErrorOf(step, error)
  }
}

function readAnswer({ response, data }: { response: Response; data?: unknown }): IngestAnswer {
  if (response.status === 201) return { kind: 'saved', lap: fit(isSaved, data, 'ingest') }
  if (response.status === 202) {
    const { ingest_id, progress } = fit(isProgress, data, 'ingest')
    return { kind: 'judging', ingestId: ingest_id, share: progress }
  }
  const { skipped: reason, laps_left_out: leftOut } = fit(isSkipped, data, 'ingest')
  return { kind: 'skipped', reason, ...(leftOut !== undefined && { leftOut }) }
}

const isTicket = fieldsOf<UploadTypes['schemas']['Init']>({
  sessionId: text,
  key: text,
  url: text,
  fields: recordOf(text),
})

const isSaved = fieldsOf<SavedLap>({
  ok: exactly(true),
  ingest_id: text,
  lap_id: text,
  context_id: whole,
  best_lap_time_ms: whole,
  previous_best_ms: orNull(whole),
  rank: orNull(whole),
  boards: listOf(exactly('complete', 'clean')),
  held_lap_id: optional(text),
  laps_left_out: optional(whole),
})

const isSkipped = fieldsOf<Skipped>({
  ok: exactly(true),
  ingest_id: text,
  skipped: text,
  context_id: optional(whole),
  held_lap_id: optional(text),
  laps_left_out: optional(whole),
})

const isProgress = fieldsOf<Progress>({
  ok: exactly(true),
  ingest_id: text,
  state: exactly('waiting', 'running'),
  progress: finite,
  status_url: text,
})
