/** One comparison of a run. */
export interface Line {
  readonly name: string
  readonly unit: string
  /** Null if it cannot be measured on this machine. */
  readonly ours: number | null
  /** What ours is compared with: another program, or an allowed value. */
  readonly peerName: string
  /** Null if the peer is not on this machine. */
  readonly peer: number | null
  /** Ratio of ours to the peer's, from rounds that measured both; null with `peer`. */
  readonly ratio: number | null
  /** The largest ratio that reaches the goal; null if the line only informs. */
  readonly atMost: number | null
  /** Why `ours` or `peer` is null. */
  readonly reason?: string
}

/** Returns a line that compares a value with the largest allowed one. */
export function allowed(name: string, unit: string, ours: number | null, most: number): Line {
  return { name, unit, ours, peerName: 'allowed', peer: most, ratio: ours && ours / most, atMost: 1 }
}

/** A group of lines, measured together. */
export interface Bench {
  readonly name: string
  /** How its lines were measured, in a sentence or two. */
  readonly how: string
  /** Takes minutes, so it runs only if it is named. */
  readonly onlyByName?: boolean
  run(context: BenchContext): Promise<readonly Line[]>
}

export interface BenchContext {
  /** Rounds of each comparison; the medians are reported. */
  readonly rounds: number
  /** Root of the project, which contains generated files and peers. */
  readonly root: string
  /** Prints progress to the error stream. */
  readonly log: (text: string) => void
}
