import type { components, operations } from '@lapwing/contracts/ingest'
import type { operations as UploadOperations } from '@lapwing/contracts/upload'
import { ask, bodyOf, Failed } from './ask.ts'
import { asDriver, type Driver } from './drivers.ts'
import { writeForm } from './form.ts'
import type { Http } from './http.ts'
import type { Target } from './target.ts'

/** A lap that Lapwing acknowledged as a new entry. */
export interface SavedLap {
  readonly lapId: string
  readonly userId: string
  readonly contextId: number
}

/**
 * Uploads a file and waits for the verdict, as the page does. Throws `Failed` unless its lap is a new entry. The file
 * is in memory only until it is sent: many drivers wait for a verdict at the same time.
 */
export async function saveLap(
  http: Http,
  target: Target,
  driver: Driver,
  readFile: () => Promise<Uint8Array>,
): Promise<SavedLap> {
  const post = async (
    name: string,
    path: string,
    body: object,
    expected: readonly number[],
    withinMs?: number,
  ) => {
    const { headers } = asDriver(driver)
    const url = `${target.url}/api${path}`
    const call = {
      name,
      method: 'POST',
      url,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(withinMs !== undefined && { withinMs }),
    } as const
    return ask(http, call, ...expected)
  }

  async function sendFile(): Promise<{ readonly sessionId: string; readonly key: string }> {
    const file = await readFile()
    const announced = {
      filename: 'session.ibt',
      size: file.byteLength,
      contentType: 'application/octet-stream',
    }
    const { sessionId, key, url, fields } = bodyOf<Ticket>(
      await post('init', '/v1/upload/init', announced, [200]),
    )
    const { contentType, body } = writeForm(fields, file)
    const form = {
      name: 'post file',
      method: 'POST',
      url,
      headers: { 'content-type': contentType },
      body,
    } as const
    await ask(http, { ...form, withinMs: FILE_WITHIN_MS }, 200, 201, 204)
    return { sessionId, key }
  }

  const sent = await sendFile()
  await post('complete', '/v1/upload/complete', sent, [200])

  let answer = await post('ingest', '/laps/ingest-best-from-session', sent, JUDGED, INGEST_WITHIN_MS)
  const givenUpMs = http.now() + LONGEST_JUDGING_MS
  while (answer.status === 202) {
    if (http.now() > givenUpMs) throw new Failed('ingest', 'was not judged in time')
    await http.wait(POLL_EVERY_MS)
    const { ingest_id: id } = bodyOf<components['schemas']['Progress']>(answer)
    const state = {
      name: 'ingest state',
      method: 'GET',
      url: `${target.url}/api/laps/ingests/${id}`,
    } as const
    answer = await ask(http, { ...state, ...asDriver(driver) }, ...JUDGED)
  }
  if (answer.status !== 201) {
    const { skipped } = bodyOf<components['schemas']['Skipped']>(answer)
    throw new Failed('ingest', `skipped the lap: ${skipped}`)
  }
  const saved = bodyOf<Saved>(answer)
  if (!saved.boards.includes('complete'))
    throw new Failed('ingest', 'made no entry on the board of complete laps')
  return { lapId: saved.lap_id, userId: driver.userId, contextId: saved.context_id }
}

type Ticket = UploadOperations['initUpload']['responses'][200]['content']['application/json']
type Saved = operations['ingestBestFromSession']['responses'][201]['content']['application/json']

const JUDGED = [200, 201, 202]
/** Longer than the service waits itself. */
const INGEST_WITHIN_MS = 65_000
const FILE_WITHIN_MS = 120_000
/** The page polls every two seconds. */
const POLL_EVERY_MS = 2_000
const LONGEST_JUDGING_MS = 5 * 60_000
