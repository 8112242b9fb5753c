import { createRandom, type Random } from '@lapwing/simulator/random'
import { drawFault } from './draw-fault.ts'
import type { Combination, PlannedLap, SessionFile } from './session-file.ts'
import { type FileKind, type Leave, type Program, STEPS, type Trial, type WavePlan } from './wave-plan.ts'

/** Draws the wave of this seed: always the same, with its own boards and drivers. */
export function drawWave(seed: number, trials: number): WavePlan {
  const random = createRandom(seed)
  const world = drawWorld(seed, random)
  const drawn: Trial[] = []
  for (let number = 0; number < trials; number++) drawn.push(drawTrial(number, drawn, world, random))
  return {
    seed,
    trials: drawn,
    faults: Array.from({ length: 3 + random.below(4) }, () => drawFault(random)),
  }
}

/** Returns the seed of the next wave in a run. */
export function nextSeed(seed: number): number {
  return createRandom(seed ^ 0x5eed).below(2 ** 31)
}

interface World {
  readonly combinations: readonly Combination[]
  readonly drivers: readonly { readonly userId: string; readonly driverId: number }[]
}

/** Few, so that a driver has several files for one board in progress. */
const COMBINATIONS = 2
const DRIVERS = 6

function drawWorld(seed: number, random: Random): World {
  const tag = seed.toString(16).padStart(8, '0')
  const part = (hexDigits: number) =>
    Array.from({ length: hexDigits }, () => random.below(16).toString(16)).join('')
  return {
    combinations: Array.from({ length: COMBINATIONS }, (_, index) => ({
      trackId: 1 + seed,
      trackName: `Chaos Ring ${tag}`,
      carId: 1 + index,
      carName: `Chaos GT${index + 1}`,
    })),
    drivers: Array.from({ length: DRIVERS }, (_, index) => ({
      userId: `user-live-${tag}-${part(4)}-4${part(3)}-8${part(3)}-${part(12)}`,
      driverId: 1 + ((seed * DRIVERS + index) % 2_000_000_000),
    })),
  }
}

const KINDS: readonly FileKind[] = [
  ...(['new', 'new', 'new', 'better', 'better', 'better', 'worse', 'worse'] as const),
  ...(['the same again', 'the same again', "another driver's", 'of no track'] as const),
]

function drawTrial(number: number, before: readonly Trial[], world: World, random: Random): Trial {
  const driver = random.pick(world.drivers)
  const wanted = random.pick(KINDS)
  const sound = before.filter(trial => trial.kind !== 'of no track')
  const own = sound.filter(trial => trial.userId === driver.userId)
  const others = sound.filter(trial => trial.file.driverId !== driver.driverId)
  const fresh = (laps: readonly PlannedLap[], combination: Combination): SessionFile => ({
    combination,
    driverId: driver.driverId,
    laps,
    startedAtMs: Date.UTC(2026, 4, 1) + number * 60_000,
  })
  const [kind, file] = ((): [FileKind, SessionFile] => {
    if (wanted === 'the same again' && own.length > 0) return [wanted, random.pick(own).file]
    if (wanted === "another driver's" && others.length > 0) return [wanted, random.pick(others).file]
    if ((wanted === 'better' || wanted === 'worse') && own.length > 0) {
      const { file } = random.pick(own)
      const step = (wanted === 'better' ? -1 : 1) * (1 + random.below(300))
      const laps = file.laps.map(lap => ({ ...lap, timeMs: lap.timeMs + step }))
      return [wanted, fresh(laps, file.combination)]
    }
    const combination = random.pick(world.combinations)
    const laps = Array.from({ length: 1 + random.below(3) }, () => ({
      // Close together, so that equal times occur.
      timeMs: 20_000 + random.below(4_000),
      isDirty: random.below(4) === 0,
    }))
    return wanted === 'of no track'
      ? [wanted, fresh(laps, { ...combination, trackId: 0 })]
      : ['new', fresh(laps, combination)]
  })()
  return {
    number,
    userId: driver.userId,
    file,
    kind,
    startsAfterMs: random.below(3_000),
    program: drawProgram(random),
  }
}

function drawProgram(random: Random): Program {
  return {
    leaves: random.below(4) === 0 ? drawLeave(random) : null,
    completeCalls: random.below(4) === 0 ? 2 : 1,
    ingestCalls: random.pick([1, 1, 1, 2, 3]),
    returns: random.pick(['never', 'with the same upload', 'from the start']),
  }
}

function drawLeave(random: Random): Leave {
  return {
    step: random.pick(STEPS),
    at: random.below(2) === 0 ? 'before the answer' : { share: random.below(1000) / 1000 },
  }
}
