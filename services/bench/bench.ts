/** One comparison of a run. */
export interface Line {
  readonly name: string
  readonly unit: string
  /** Null where it cannot be measured on this machine. */
  readonly ours: number | null
  /** What we are compared with: another program, or what is allowed. */
  readonly peerName: string
  /** Null where the peer is not on this machine. */
  readonly peer: number | null
  /** Ours to the peer's, of rounds in which both were measured beside each other; null with `peer`. */
  readonly ratio: number | null
  /** What the ratio may be at most; null where a line only informs. */
  readonly atMost: number | null
  /** Why `ours` or `peer` is null. */
  readonly reason?: string
}

/** A group of lines, measured together. */
export interface Bench {
  readonly name: string
  /** How its lines were measured, in a sentence or two. */
  readonly how: string
  /** Takes minutes of its own, and is run only where it is asked for by name. */
  readonly onlyByName?: boolean
  run(context: BenchContext): Promise<readonly Line[]>
}

export interface BenchContext {
  /** How often each comparison is made; the medians are reported. */
  readonly rounds: number
  /** Root of the project, where generated files and peers are kept. */
  readonly root: string
  /** Says what is going on, on the error stream. */
  readonly log: (text: string) => void
}
