import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Addresses of the parts of a running stack, for commands that run beside it. */
export interface RunningFile {
  /** Process id of the stack. */
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

/** Returns null if no stack was started with this folder. The stack may have ended since. */
export function readRunningFile(dataDir: string): RunningFile | null {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as RunningFile
  } catch {
    return null
  }
}
