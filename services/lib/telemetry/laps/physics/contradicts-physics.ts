import type { LapData } from '../lap-data.ts'
import { HARD_RULES, type HardRule } from './hard-rules.ts'
import { type LapRows, motionOf } from './lap-motion.ts'

/** Returns true if the channels of a lap contradict each other in a way that no car and no sensor can. */
export function contradictsPhysics(data: LapData, lap: LapRows): boolean {
  return findHardContradictions(data, lap, true).length > 0
}

/** Returns the rules that a lap breaks; only the first one if `isFirstEnough`. */
export function findHardContradictions(data: LapData, lap: LapRows, isFirstEnough = false): HardRule[] {
  if (!PHYSICS_CHANNELS.some(name => data.channel[name] !== null)) return []
  const motion = motionOf(data, lap)
  if (motion === null) return []
  const broken: HardRule[] = []
  for (const rule of RULES) {
    if (!HARD_RULES[rule]({ data, rows: lap, motion })) continue
    broken.push(rule)
    if (isFirstEnough) break
  }
  return broken
}

const RULES = Object.keys(HARD_RULES) as HardRule[]

/** Without any of these there is nothing to compare. */
const PHYSICS_CHANNELS = ['YawRate', 'LongAccel', 'LatAccel', 'RPM', 'SessionTick', 'Lat'] as const
