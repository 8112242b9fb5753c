/** One step of a run. */
export interface Step<World> {
  readonly name: string
  /** Returns its figures in one line. Rejects if it failed. */
  readonly run: (world: World) => Promise<string>
  /** Whether no later step makes sense without it. */
  readonly isNeeded?: boolean
  /** Whether it runs even after a needed step failed, such as one that cleans up. */
  readonly isFinal?: boolean
}

export interface StepResult {
  readonly name: string
  readonly outcome: 'ok' | 'failed' | 'skipped'
  readonly seconds: number
  /** Figures, or the reason of a failure, in one line. */
  readonly figures: string
}

/**
 * Runs the steps in their order. Skips the rest after a needed step failed or `signal` aborted, except final ones.
 * `only` are the names of the steps to run; the others are not in the result. Throws if `only` has an unknown name.
 */
export async function runSteps<World>(
  steps: readonly Step<World>[],
  world: World,
  {
    only,
    signal,
    say,
    now = () => performance.now(),
  }: {
    readonly only: readonly string[] | null
    readonly signal: AbortSignal
    readonly say: (line: string) => void
    readonly now?: () => number
  },
): Promise<readonly StepResult[]> {
  const unknown = only?.filter(name => !steps.some(step => step.name === name)) ?? []
  if (unknown.length > 0) {
    throw new Error(
      `There is no step ${unknown.join(', ')}. The steps are ${steps.map(({ name }) => name).join(', ')}.`,
    )
  }
  const results: StepResult[] = []
  let isGivenUp = false
  for (const { name, run, isNeeded = false, isFinal = false } of steps) {
    if (only !== null && !only.includes(name)) continue
    if ((isGivenUp || signal.aborted) && !isFinal) {
      results.push({ name, outcome: 'skipped', seconds: 0, figures: '' })
      continue
    }
    say(`${name} …`)
    const startMs = now()
    let result: Pick<StepResult, 'outcome' | 'figures'>
    try {
      result = { outcome: 'ok', figures: await run(world) }
    } catch (error) {
      result = { outcome: 'failed', figures: inOneLine(error) }
      isGivenUp ||= isNeeded
    }
    const seconds = (now() - startMs) / 1000
    results.push({ name, seconds, ...result })
    say(`${name}: ${result.outcome} after ${seconds.toFixed(1)} s. ${result.figures}`.trimEnd())
  }
  return results
}

function inOneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.trim().replaceAll(/\s*\n\s*/g, '; ')
}
