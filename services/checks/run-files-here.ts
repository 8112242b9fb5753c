/**
 * Program that runs test files in its own process, one after the other, as `test-process.ts` asks for them.
 * Sends each result of a test, then the exit code that the file would have ended with.
 */
import { join } from 'node:path'
import { run } from 'node:test'
import { type TestEvent, testResults } from './test-results.ts'

/** Asks for one file. */
export interface FileOrder {
  /** Path from the working folder. */
  readonly file: string
  /** Further variables of the file. */
  readonly env: Readonly<Record<string, string>>
}

process.on('message', (order: FileOrder) => void runFile(order))

async function runFile({ file, env }: FileOrder): Promise<void> {
  const ownEnv = { ...process.env }
  Object.assign(process.env, env)
  // As at the end of a process, the file is over when nothing is left to wait for. A file that leaves something
  // open does not end in time.
  process.channel!.unref()
  const path = join(process.cwd(), file)
  const events = run({ files: [path], isolation: 'none' })
  for await (const result of testResults(events as AsyncIterable<TestEvent>, path)) process.send!(result)
  process.channel!.ref()
  for (const name of Object.keys(process.env)) if (!(name in ownEnv)) delete process.env[name]
  Object.assign(process.env, ownEnv)
  const exitCode = process.exitCode ?? 0
  process.exitCode = undefined
  process.send!(exitCode)
}
