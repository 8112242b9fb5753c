import pg from 'pg'
import { awaitNoOrphans } from '../check/await-quiet.ts'
import { findMemoryExcess, watchMemory } from '../check/watch-memory.ts'
import { drawWave, nextSeed } from '../plan/draw-wave.ts'
import { startWorld, type World } from '../world/world.ts'
import { copyLogs } from './copy-logs.ts'
import { runWave } from './run-wave.ts'

/** Trials of one wave; they run at the same time and share its faults. */
export const WAVE = 20

export interface TrialsResult {
  readonly trials: number
  readonly acknowledged: number
  readonly faults: number
  /** The longest time from the last fault of a wave until all work ended, seconds. */
  readonly longestQuietS: number
  readonly failures: readonly WaveFailure[]
}

export interface WaveFailure {
  readonly seed: number
  readonly violations: readonly string[]
}

/**
 * Runs waves from a seed on until enough trials are done. Prints each failed wave with the command that
 * repeats it. After a failure the next wave starts in a new world.
 */
export async function runTrials(options: {
  readonly trials: number
  readonly seed: number
  readonly say: (line: string) => void
  readonly signal?: AbortSignal
}): Promise<TrialsResult> {
  const { say, signal } = options
  const failures: WaveFailure[] = []
  let [trials, acknowledged, faults, longestQuietS] = [0, 0, 0, 0]
  let world: World | null = null
  try {
    for (let seed = options.seed; trials < options.trials && !signal?.aborted; seed = nextSeed(seed)) {
      const plan = drawWave(seed, Math.min(WAVE, options.trials - trials))
      world ??= await startWorld({ say: () => {} })
      const startedMs = performance.now()
      const memory = watchMemory(world)
      const result = await runWave(world, plan).catch((error: unknown) => ({
        violations: [`the wave could not be judged: ${error instanceof Error ? error.stack : error}`],
        acknowledged: 0,
        injected: 0,
        quietS: 0,
      }))
      memory.stop()
      const violations = [...result.violations, ...findMemoryExcess(memory)]
      trials += plan.trials.length
      acknowledged += result.acknowledged
      faults += result.injected
      longestQuietS = Math.max(longestQuietS, result.quietS)
      const took = `${((performance.now() - startedMs) / 1000).toFixed(1)} s`
      say(
        `${violations.length === 0 ? 'ok  ' : 'FAIL'} seed ${seed}: ${plan.trials.length} trials, ${result.acknowledged} acknowledged, ` +
          `${result.injected} faults (${plan.faults.map(({ kind }) => kind).join(', ')}), quiet after ${result.quietS.toFixed(1)} s, ${took}`,
      )
      if (violations.length === 0) continue
      failures.push({ seed, violations })
      for (const violation of violations) say(`     ${violation}`)
      say(`     Logs: ${copyLogs(world, seed)}`)
      say(`     Again: SEED=${seed} make chaos`)
      await world.stop()
      world = null
    }
    const orphans = world === null ? [] : await orphansOf(world)
    for (const orphan of orphans) say(`FAIL after all waves: ${orphan}`)
    if (orphans.length > 0) failures.push({ seed: options.seed, violations: orphans })
  } finally {
    await world?.stop()
  }
  return { trials, acknowledged, faults, longestQuietS, failures }
}

async function orphansOf(world: World): Promise<string[]> {
  const owner = new pg.Client({ connectionString: world.servers.postgres.url })
  await owner.connect()
  try {
    return await awaitNoOrphans(world, owner)
  } finally {
    await owner.end()
  }
}
