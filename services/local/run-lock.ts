import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Lets one `make run` at a time use a data folder. Returns a function that releases the lock, or the current
 * holder. Replaces a lock if its process is gone, or if its process id now belongs to another program.
 */
export function acquireRunLock(
  file: string,
  mine: LockHolder,
): { release: () => void } | { heldBy: LockHolder } {
  for (;;) {
    if (createExclusively(file, mine)) {
      return {
        release() {
          if (read(file)?.pid === mine.pid) rmSync(file, { force: true })
        },
      }
    }
    const holder = read(file)
    if (holder !== null && isAlive(holder)) return { heldBy: holder }
    const aside = `${file}.${mine.pid}`
    try {
      renameSync(file, aside)
    } catch {
      continue // Another run removed it first.
    }
    const moved = read(aside)
    if (moved !== null && isAlive(moved)) {
      // Another run acquired it between our read and our rename: put it back.
      renameSync(aside, file)
      return { heldBy: moved }
    }
    rmSync(aside, { force: true })
  }
}

export interface LockHolder {
  readonly pid: number
  /** Part of the holder's command line. It tells the holder from another program with a reused process id. */
  readonly command: string
}

/** Creates the file in one step: a reader never sees a half-written lock. Returns false if it exists. */
function createExclusively(file: string, holder: LockHolder): boolean {
  const draft = `${file}.${holder.pid}.new`
  writeFileSync(draft, JSON.stringify(holder))
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function read(file: string): LockHolder | null {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Partial<LockHolder>
    return typeof holder.pid === 'number' && typeof holder.command === 'string'
      ? { pid: holder.pid, command: holder.command }
      : null
  } catch {
    return null
  }
}

function isAlive({ pid, command }: LockHolder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return commandLine(pid).includes(command)
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    // macOS has no /proc.
  }
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return ''
  }
}
