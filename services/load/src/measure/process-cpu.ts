import { readdirSync, readFileSync } from 'node:fs'

/** Processor seconds of a process with all its children, also of ended ones. Null without `/proc`. */
export function readTreeCpu(pid: number): number | null {
  const processes = readProcesses()
  if (processes === null) return null
  let ticks = 0
  const waiting = [pid]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    ticks += processes.get(next)?.ticks ?? 0
    for (const [child, { parent }] of processes) if (parent === next) waiting.push(child)
  }
  return ticks / TICKS_A_SECOND
}

/** Processor seconds of the whole machine: those in use, and all there were. Null without `/proc`. */
export function readMachineCpu(): { readonly busyS: number; readonly allS: number } | null {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
    // Guests are part of the first two.
    const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softIrq = 0, stolen = 0] = line
      .trim()
      .split(/\s+/)
      .slice(1)
      .map(Number)
    const busy = user + nice + system + irq + softIrq + stolen
    return { busyS: busy / TICKS_A_SECOND, allS: (busy + idle + wait) / TICKS_A_SECOND }
  } catch {
    return null
  }
}

/** Linux counts in hundredths on all common machines. */
const TICKS_A_SECOND = 100

interface ProcessTicks {
  readonly parent: number
  /** Own ones and those of children that ended. */
  readonly ticks: number
}

function readProcesses(): Map<number, ProcessTicks> | null {
  try {
    const processes = new Map<number, ProcessTicks>()
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue
      const read = readProcess(name)
      if (read !== null) processes.set(Number(name), read)
    }
    return processes
  } catch {
    return null
  }
}

function readProcess(pid: string): ProcessTicks | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program before may hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0)
    return { parent: Number(fields[1]), ticks }
  } catch {
    // The process ended meanwhile.
    return null
  }
}
