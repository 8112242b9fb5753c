import { readFileSync } from 'node:fs'

/** Whether a process still runs. One that has ended and waits to be collected by its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    // Field 3 of proc(5) stat, after the name in parentheses, which may itself hold some.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return true // No /proc, as on macOS, whose first process collects orphans at once.
  }
}
