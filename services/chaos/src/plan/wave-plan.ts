import type { LinkCondition, Way } from '../proxy/fault-proxy.ts'
import type { SessionFile } from './session-file.ts'

/** Trials that share their faults. The seed decides all of it. */
export interface WavePlan {
  readonly seed: number
  readonly trials: readonly Trial[]
  readonly faults: readonly Fault[]
}

/** One driver submits one file. */
export interface Trial {
  /** From 0, within its wave. */
  readonly number: number
  readonly userId: string
  readonly file: SessionFile
  /** Relation of the file to earlier ones, for the report of a failure. */
  readonly kind: FileKind
  readonly startsAfterMs: number
  readonly program: Program
}

export type FileKind = 'new' | 'better' | 'worse' | 'the same again' | "another driver's" | 'of no track'

/** Deviations of a client from one init, post, complete and ingest. */
export interface Program {
  /** Where the client closes its connection without an answer, if anywhere. */
  readonly leaves: Leave | null
  /** Parallel calls of `complete`. */
  readonly completeCalls: number
  readonly ingestCalls: number
  /** Whether the driver presses Retry after the faults: with the same upload, or from the start. */
  readonly returns: 'never' | 'with the same upload' | 'from the start'
}

export const STEPS = ['init', 'post', 'complete', 'ingest'] as const
export type Step = (typeof STEPS)[number]

export interface Leave {
  readonly step: Step
  /** After this share of the request's body, or after all of it without reading the answer. */
  readonly at: { readonly share: number } | 'before the answer'
}

/** The processes under test. */
export const PROCESSES = ['upload', 'ingest', 'worker-a', 'worker-b', 'leaderboard'] as const
export type ProcessName = (typeof PROCESSES)[number]

/** Connections from a client or process to a server; each has its own proxy. */
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

/** A disturbance with a beginning and a duration. */
export type Fault = Disturbance & {
  readonly starts: Moment
  readonly forMs: number
}

/** Some time after the wave began, or during a step: after so many bytes on a link. */
export type Moment =
  | { readonly afterMs: number }
  | { readonly link: Link; readonly way: Way; readonly afterBytes: number }

export type Disturbance =
  /** SIGKILL; its supervisor restarts it. */
  | { readonly kind: 'kill'; readonly process: ProcessName }
  /** SIGSTOP and later SIGCONT: the process does not notice the pause. */
  | { readonly kind: 'freeze'; readonly process: ProcessName }
  | { readonly kind: 'cut'; readonly link: Link }
  | { readonly kind: 'condition'; readonly link: Link; readonly condition: LinkCondition }
  /** FLUSHALL. */
  | { readonly kind: 'wipe redis' }
  /** Killed; it keeps its data on disk. */
  | { readonly kind: 'stop redis' }
  | { readonly kind: 'stop store' }
  /** `crash`: like a power cut, with recovery from the log. */
  | { readonly kind: 'stop postgres'; readonly how: 'in order' | 'crash' }
  /** Every unfinished ingest gets a second job in the queue. */
  | { readonly kind: 'deliver again' }
