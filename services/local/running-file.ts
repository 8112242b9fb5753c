import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the parts of a running stack are, for commands that are run beside it. */
export interface RunningFile {
  /** Of the process that started it. */
  readonly pid: number
  /** Address of each part, by its name. */
  readonly urls: Readonly<Record<string, string>>
}

const fileOf = (dataDir: string) => join(dataDir, 'running.json')

export function writeRunningFile(dataDir: string, urls: RunningFile['urls']): void {
  const content: RunningFile = { pid: process.pid, urls }
  writeFileSync(fileOf(dataDir), `${JSON.stringify(content, null, 2)}\n`)
}

export function removeRunningFile(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true })
}

/** Null where no stack was started with this folder. Whether it still runs, its addresses tell. */
export function readRunningFile(dataDir: string): RunningFile | null {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as RunningFile
  } catch {
    return null
  }
}
