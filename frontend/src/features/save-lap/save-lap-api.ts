import type { paths as IngestPaths, components as IngestTypes } from '@lapwing/contracts/ingest'
import type { paths as UploadPaths, components as UploadTypes } from '@lapwing/contracts/upload'
import { bodyOf, createApiClient, type SignedInDeps } from '#shared/api/api-client.ts'
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

/** Where and with which fields a file is posted. */
export type Ticket = Readonly<UploadTypes['schemas']['Init']>
export type SavedLap = Readonly<IngestTypes['schemas']['Saved']>
type Progress = IngestTypes['schemas']['Progress']
/** Reasons that come later than this page are taken as they are: only one has words of its own. */
type Skipped = Omit<IngestTypes['schemas']['Skipped'], 'skipped'> & { readonly skipped: string }

/** What became of a session. */
export type Outcome =
  | { readonly kind: 'saved'; readonly lap: SavedLap }
  /** `leftOut` complete laps of the file are not kept. */
  | { readonly kind: 'skipped'; readonly reason: string; readonly leftOut?: number }

export type IngestAnswer =
  | Outcome
  /** Not finished; ask again. */
  | { readonly kind: 'judging'; readonly ingestId: string; readonly share: number }

/** The calls to upload and ingest. Each throws a `SaveError`, or the signal's reason. */
export interface SaveLapApi {
  init(file: Pick<File, 'name' | 'size' | 'type'>, signal: AbortSignal): Promise<Ticket>
  complete(ticket: Ticket, originalName: string, signal: AbortSignal): Promise<void>
  ingest(ticket: Ticket, signal: AbortSignal): Promise<IngestAnswer>
  /** How far it is, by the `status_url` of an answer that was not finished. */
  ingestState(ingestId: string, signal: AbortSignal): Promise<IngestAnswer>
}

interface SaveLapApiDeps extends SignedInDeps {
  /** `authorised` with the longer time that judging a file is given. */
  readonly patient: typeof globalThis.fetch
}

/** Milliseconds the server is given to judge a file. */
export const INGEST_TIMEOUT_MS = 60_000

/** The specification's constant where the track is not known yet. */
const UNKNOWN_TRACK = 'unknown'
const FILE_TYPE = 'application/octet-stream'
/** The contract's; the end of a name counts, since it says what the file is. */
const MAX_NAME_LENGTH = 1000

export function createSaveLapApi({ baseUrl, authorised, patient }: SaveLapApiDeps): SaveLapApi {
  const upload = createApiClient<UploadPaths>({ baseUrl, fetch: authorised })
  const ingest = createApiClient<IngestPaths>({ baseUrl, fetch: authorised })
  const patientIngest = createApiClient<IngestPaths>({ baseUrl, fetch: patient })
  return {
    init: ({ name, size, type }, signal) =>
      asStep('init', signal, async () => {
        const filename = name.slice(-MAX_NAME_LENGTH)
        const body = { filename, size, contentType: type || FILE_TYPE, track: UNKNOWN_TRACK }
        return bodyOf(upload.POST('/v1/upload/init', { body, signal }), isTicket, 'upload init')
      }),
    complete: ({ sessionId, key }, originalName, signal) =>
      asStep('complete', signal, async () => {
        const body = { sessionId, key, originalName: originalName.slice(-MAX_NAME_LENGTH) }
        await upload.POST('/v1/upload/complete', { body, signal })
      }),
    ingest: ({ sessionId, key }, signal) =>
      asStep('ingest', signal, async () => {
        const { data, response } = await patientIngest.POST('/laps/ingest-best-from-session', {
          body: { sessionId, key },
          signal,
        })
        return readAnswer(response.status, data)
      }),
    ingestState: (ingestId, signal) =>
      asStep('ingest', signal, async () => {
        const { data, response } = await ingest.GET('/laps/ingests/{ingestId}', {
          params: { path: { ingestId } },
          signal,
        })
        return readAnswer(response.status, data)
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

function readAnswer(status: number, data: unknown): IngestAnswer {
  if (status === 201) return { kind: 'saved', lap: fit(isSaved, data, 'ingest') }
  if (status === 202) {
    const { ingest_id, progress } = fit(isProgress, data, 'ingest')
    return { kind: 'judging', ingestId: ingest_id, share: progress }
  }
  const { skipped: reason, laps_left_out: leftOut } = fit(isSkipped, data, 'ingest')
  return { kind: 'skipped', reason, ...(leftOut !== undefined && { leftOut }) }
}

const isTicket = fieldsOf<Ticket>({ sessionId: text, key: text, url: text, fields: recordOf(text) })

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
