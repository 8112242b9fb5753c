import { PROCESSES, type ProcessName } from '../plan/wave-plan.ts'
import type { World } from '../world/world.ts'

/** MiB that each process had at most since it is watched. */
export interface MemoryWatch {
  readonly peaksMiB: () => Readonly<Record<ProcessName, number>>
  readonly stop: () => void
}

export function watchMemory({ processes }: Pick<World, 'processes'>): MemoryWatch {
  const peaks = Object.fromEntries(PROCESSES.map(name => [name, 0])) as Record<ProcessName, number>
  const look = () => {
    for (const name of PROCESSES) peaks[name] = Math.max(peaks[name], processes[name].residentMiB() ?? 0)
  }
  look()
  const timer = setInterval(look, 250)
  return { peaksMiB: () => ({ ...peaks }), stop: () => clearInterval(timer) }
}

/**
 * Processes that had more than they should, as sentences. Small files need no more than the code, its
 * threads and what the collector has not come to yet.
 */
export function tooMuchMemory({ peaksMiB }: MemoryWatch): string[] {
  return Object.entries(peaksMiB())
    .filter(([, mib]) => mib > MOST_MIB)
    .map(([name, mib]) => `${name} had ${Math.round(mib)} MiB in memory; ${MOST_MIB} are enough`)
}

const MOST_MIB = 400
