import { ApiError } from '#shared/api/problem.ts'

/** The steps of saving a lap, as the specification names their failures. */
const steps = {
  init: 'Upload init failed',
  post: 'Storage upload failed',
  complete: 'Upload complete failed',
  ingest: 'Ingest failed',
} as const

export type Step = keyof typeof steps

/**
 * One step of saving a lap failed. The message carries what went wrong, status and response text
 * included, and is what the rules of repeating look at; it is not for the person.
 */
export class SaveError extends Error {
  readonly step: Step
  /** The server's own sentence for the person, where it has one. */
  readonly sentence: string | null
  /** The server understood and refused: doing the same again answers the same. */
  readonly isRefused: boolean
  /** The reason lies in the file, so that trying it again can only end the same. */
  readonly isOfTheFile: boolean

  constructor(step: Step, what: string, options: SaveErrorOptions = {}) {
    super(`${steps[step]}: ${what}`, { cause: options.cause })
    this.name = 'SaveError'
    this.step = step
    this.sentence = options.sentence ?? null
    this.isRefused = options.isRefused ?? false
    this.isOfTheFile = options.isOfTheFile ?? false
  }
}

interface SaveErrorOptions {
  readonly sentence?: string | null
  readonly isRefused?: boolean
  readonly isOfTheFile?: boolean
  readonly cause?: unknown
}

/** Refusals that any driver gets for this file, or this driver for it at any time. */
const OF_THE_FILE: ReadonlySet<string> = new Set([
  'ingest.unreadable',
  'ingest.unidentified',
  'ingest.driven_elsewhere',
  'ingest.place_unknown',
  'upload.belongs_to_another_driver',
  'upload.duplicate_lap',
])

/** What a call of a step threw, as the failure of the step. */
export function saveErrorOf(step: Step, error: unknown): SaveError {
  if (error instanceof SaveError) return error
  if (error instanceof ApiError) {
    const { status, statusLine, code, text, isSentence, message } = error
    return new SaveError(step, `${statusLine} ${text}`.trim(), {
      sentence: isSentence ? message : null,
      isRefused: status >= 400 && status < 500,
      isOfTheFile: code !== null && OF_THE_FILE.has(code),
      cause: error,
    })
  }
  // Each browser words a lost connection in its own way; Safari's "Load failed" names none of what is looked for.
  if (error instanceof TypeError) return new SaveError(step, `network: ${error.message}`, { cause: error })
  return new SaveError(step, String((error as Error | undefined)?.message ?? error), { cause: error })
}

/** The specification's rule: only where the failure speaks of a time-out, the network or a fetch. */
export function isWorthRepeating({ message }: Error): boolean {
  return /timeout|network|fetch/i.test(message)
}

/** What the person is told at last. The server's own sentence comes first where it refused, and else beside. */
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
