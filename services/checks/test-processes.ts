import { type FileResult, startTestProcess, type TestFile, type TestProcess } from './test-process.ts'

/**
 * Runs test files in processes that files of the same group share, one after the other. Loading the code takes
 * most of the CPU of a small file. A failed file ends its process.
 */
export function testProcesses(options: {
  readonly rootDir: string
  readonly signal: AbortSignal
}): TestProcesses {
  /** Processes without a file, the longest idle one first. */
  const idle: { readonly group: string; readonly process: TestProcess }[] = []

  async function take(group: string): Promise<TestProcess> {
    const index = idle.findIndex(one => one.group === group && one.process.isGood())
    if (index >= 0) return idle.splice(index, 1)[0]!.process
    // Files come group by group: the oldest one has probably no file left. So there are never more processes than lanes.
    await idle.shift()?.process.end()
    return startTestProcess(options)
  }

  return {
    async run({ group, ...file }) {
      const process = await take(group)
      const result = await process.run(file)
      if (process.isGood()) idle.push({ group, process })
      else await process.end()
      return result
    },
    async end() {
      await Promise.all(idle.splice(0).map(({ process }) => process.end()))
    },
  }
}

export interface TestProcesses {
  readonly run: (file: TestFile & { readonly group: string }) => Promise<FileResult>
  /** Ends the idle processes. */
  readonly end: () => Promise<void>
}
