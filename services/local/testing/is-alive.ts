import { existsSync, readFileSync } from 'node:fs'

/** Returns whether a process still runs. A zombie, which has ended but waits for its parent, does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    // Field 3 of proc(5) stat, after the name in parentheses; the name itself can contain parentheses.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    // It has ended since. macOS has no /proc, but collects orphans immediately.
    return !existsSync('/proc')
  }
}
