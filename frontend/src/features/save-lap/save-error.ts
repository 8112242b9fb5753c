import { ApiError, sentenceOf } from '#shared/api/problem.ts'

/** The steps of saving a lap, with the names that the specification uses in error messages. */
const steps = {
  init: 'Upload init failed',
  post: 'Storage upload failed',
  complete: 'Upload complete failed',
  ingest: 'Ingest failed',
} as const

export type Step = keyof typeof steps

type SaveErrorFacts = Partial<Pick<SaveError, 'sentence' | 'isRefused' | 'isOfTheFile' | 'cause'>>

/** A failed step of saving a lap. The retry rules read the message; the driver never sees it. */
export class SaveError extends Error {
  readonly step: Step
  /** The server's own sentence for the driver; null if it has none. */
  readonly sentence: string | null
  /** The server understood and refused: the same request gets the same answer. */
  readonly isRefused: boolean
  /** The reason lies in the file, so that another try ends the same way. */
  readonly isOfTheFile: boolean

  constructor(step: Step, what: string, facts: SaveErrorFacts = {}) {
    super(`${steps[step]}: ${what}`, { cause: facts.cause })
    this.name = 'SaveError'
    this.step = step
    this.sentence = facts.sentence ?? null
    this.isRefused = facts.isRefused ?? false
    this.isOfTheFile = facts.isOfTheFile ?? false
  }
}

/** Error codes that every try with this file gets, from this driver or from any. */
const OF_THE_FILE: ReadonlySet<string> = new Set([
  'ingest.unreadable',
  'ingest.unidentified',
  'ingest.driven_elsewhere',
  'ingest.place_unknown',
  'upload.belongs_to_another_driver',
  'upload.duplicate_lap',
  'upload.wrong_type',
  'upload.empty',
  'upload.too_large',
  'upload.not_telemetry',
])

/** Turns what a call threw into the failure of its step. */
export function saveErrorOf(step: Step, error: unknown): SaveError {
  if (error instanceof SaveError) return error
  if (error instanceof ApiError) {
    const { status, statusLine, code, text } = error
    return new SaveError(step, `${statusLine} ${text}`.trim(), {
      sentence: sentenceOf(error, null),
      isRefused: status >= 400 && status < 500,
      isOfTheFile: code !== null && OF_THE_FILE.has(code),
      cause: error,
    })
  }
  // Each browser words a lost connection in its own way. Safari's "Load failed" has none of the words that
  // retries look for.
  if (error instanceof TypeError) return new SaveError(step, `network: ${error.message}`, { cause: error })
  return new SaveError(step, String((error as Error | undefined)?.message ?? error), { cause: error })
}

/** Returns whether to retry, which the specification does after a time-out and a failed network or fetch. */
export function isWorthRepeating({ message }: Error): boolean {
  return /timeout|network|fetch/i.test(message)
}

/**
 * Returns the last message for the driver. After a refusal it is the server's own sentence. Otherwise that
 * sentence is the detail below ours; null if the server has none.
 */
export function finalSentence(error: SaveError): {
  readonly sentence: string
  readonly detail: string | null
} {
  if (error.isRefused && error.sentence !== null) return { sentence: error.sentence, detail: null }
  return {
    sentence: /timeout/i.test(error.message)
      ? 'Upload failed: Request timed out'
      : 'Upload failed: Please try again.',
    detail: error.sentence,
  }
}
