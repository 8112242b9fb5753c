import type { Way, Weather } from '../proxy/fault-proxy.ts'
import type { SessionFile } from './session-file.ts'

/** Some trials that share their faults. All of it is drawn from the seed. */
export interface WavePlan {
  readonly seed: number
  readonly trials: readonly Trial[]
  readonly faults: readonly Fault[]
}

/** One driver brings one file. */
export interface Trial {
  /** From 0, within its wave. */
  readonly number: number
  readonly userId: string
  readonly file: SessionFile
  /** What the file is to the driver, for a reader of a failure. */
  readonly kind: FileKind
  readonly startsAfterMs: number
  readonly program: Program
}

export type FileKind = 'new' | 'better' | 'worse' | 'the same again' | "another driver's" | 'of no track'

/** What a client does beside init, post, complete and ingest. */
export interface Program {
  /** Where it is gone without a word, if anywhere. */
  readonly leaves: Leave | null
  /** How many times it says so at once. */
  readonly completeCalls: number
  readonly ingestCalls: number
  /** Whether somebody presses Retry once all faults are over: with the same upload, or from the start. */
  readonly returns: 'never' | 'with the same upload' | 'from the start'
}

export const STEPS = ['init', 'post', 'complete', 'ingest'] as const
export type Step = (typeof STEPS)[number]

export interface Leave {
  readonly step: Step
  /** After this share of the request's body, or with it sent and no answer read. */
  readonly at: { readonly share: number } | 'before the answer'
}

/** The processes that are put to the test. */
export const PROCESSES = ['upload', 'ingest', 'worker-a', 'worker-b', 'leaderboard'] as const
export type ProcessName = (typeof PROCESSES)[number]

/** Who speaks to whom, each through a proxy of its own. */
export const LINKS = [
  'client > upload',
  'client > ingest',
  'client > leaderboard',
  'client > store',
  'upload > postgres',
  'upload > store',
  'ingest > postgres',
  'ingest > redis',
  'ingest > store',
  'ingest > upload',
  'ingest > leaderboard',
  'worker-a > postgres',
  'worker-a > redis',
  'worker-a > store',
  'worker-a > leaderboard',
  'worker-b > postgres',
  'worker-b > redis',
  'worker-b > store',
  'worker-b > leaderboard',
  'leaderboard > postgres',
  'leaderboard > redis',
] as const
export type Link = (typeof LINKS)[number]

/** Something that goes wrong from a moment on, for some time. */
export type Fault = Mishap & {
  readonly starts: Moment
  readonly forMs: number
}

/** Some time after the wave began, or in the middle of a step: when so many bytes have passed on a link. */
export type Moment =
  | { readonly afterMs: number }
  | { readonly link: Link; readonly way: Way; readonly afterBytes: number }

export type Mishap =
  /** SIGKILL; its supervisor starts it again. */
  | { readonly kind: 'kill'; readonly process: ProcessName }
  /** SIGSTOP and later SIGCONT: it comes back believing that no time has passed. */
  | { readonly kind: 'freeze'; readonly process: ProcessName }
  | { readonly kind: 'cut'; readonly link: Link }
  | { readonly kind: 'weather'; readonly link: Link; readonly weather: Weather }
  /** FLUSHALL. */
  | { readonly kind: 'wipe redis' }
  /** Killed; what it had on disk is there when it comes back. */
  | { readonly kind: 'stop redis' }
  | { readonly kind: 'stop store' }
  /** `crash`: as if the power had gone, and recovered from its log. */
  | { readonly kind: 'stop postgres'; readonly how: 'in order' | 'crash' }
  /** Every unfinished ingest is put into the queue once more, beside the job it has. */
  | { readonly kind: 'deliver again' }
