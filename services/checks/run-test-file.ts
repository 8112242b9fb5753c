import { type FileResult, startTestProcess, type TestFile } from './test-process.ts'

/** Runs one test file in a Node process of its own. */
export async function runTestFile({ rootDir, signal, ...file }: RunTestFile): Promise<FileResult> {
  const own = startTestProcess({ rootDir, signal })
  try {
    return await own.run(file)
  } finally {
    await own.end()
  }
}

export interface RunTestFile extends TestFile {
  readonly rootDir: string
  readonly signal?: AbortSignal | undefined
}
