import { runInLanes } from './run-in-lanes.ts'
import { type FileResult, hasFailed } from './test-process.ts'

/**
 * Runs the test files in lanes, then runs each failed file once more, alone. The second result replaces the
 * first one and holds it as `firstRun`. Starts no further file after an abort.
 */
export async function runTestFiles(options: {
  readonly queues: readonly (readonly string[])[]
  readonly lanes: number
  readonly signal: AbortSignal
  /** `isAlone` is true for the second run of a file. */
  readonly run: (file: string, isAlone: boolean) => Promise<FileResult>
}): Promise<FileResult[]> {
  const { queues, lanes, signal, run } = options
  const results: FileResult[] = []
  await runInLanes({
    queues,
    lanes,
    run: async file => {
      if (!signal.aborted) results.push(await run(file, false))
    },
  })
  for (const [index, firstRun] of results.entries()) {
    if (!signal.aborted && hasFailed(firstRun)) {
      results[index] = { ...(await run(firstRun.file, true)), firstRun }
    }
  }
  return results
}
