import { PROCESSES, type ProcessName } from '../plan/wave-plan.ts'
import type { World } from '../world/world.ts'

/** The highest memory of each process since the watch began, MiB. */
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
 * Returns a sentence for each process that used too much memory. Small files need no more than the code, its
 * threads and uncollected garbage.
 */
export function findMemoryExcess({ peaksMiB }: MemoryWatch): string[] {
  return Object.entries(peaksMiB())
    .filter(([, mib]) => mib > MAX_MIB)
    .map(([name, mib]) => `${name} used ${Math.round(mib)} MiB of memory; the limit is ${MAX_MIB}`)
}

const MAX_MIB = 400
