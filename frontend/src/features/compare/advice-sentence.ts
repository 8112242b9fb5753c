import type { AdviceAction } from '@lapwing/telemetry/advice'
import { speedIn } from '#shared/format/speed.ts'
import type { SpeedUnit } from '#shared/preferences/units.ts'
import type { LapAdvice } from './find-advice.ts'

/** Says what to do and where, without a full stop: "Brake 6 m later into Turn 1". */
export function adviceWords(
  { action, corner }: Pick<LapAdvice, 'action' | 'corner'>,
  unit: SpeedUnit,
): string {
  return words(action, corner?.name ?? 'the line', unit)
}

function words(action: AdviceAction, place: string, unit: SpeedUnit): string {
  switch (action.kind) {
    case 'brake_later':
      return `Brake ${action.metres} m later into ${place}`
    case 'lift_later':
      return `Lift ${action.metres} m later into ${place}`
    case 'lift_only':
      return `Only lift for ${place}, without the brake`
    case 'stay_flat':
      return `Stay on the throttle through ${place}`
    case 'carry_speed': {
      // At least one: the least difference is one km/h.
      const more = Math.max(1, Math.round(speedIn(unit, action.mps)))
      return `Carry ${more} ${unit} more through ${place}`
    }
    case 'throttle_earlier':
      return `Press the throttle ${action.metres} m earlier in ${place}`
    case 'full_throttle_earlier':
      return `Reach full throttle ${action.metres} m earlier after ${place}`
    case 'hold_throttle':
      return `Stay on the throttle after ${place}`
    case 'run_tighter':
      return `Stay ${action.metres} m tighter at the exit of ${place}`
    case 'shift_faster':
      return `Shift faster after ${place}: ${action.neutralS.toFixed(1)} s were in neutral`
    case 'use_gear':
      return `Leave ${place} in gear ${action.gear}, not in ${action.ownGear}`
  }
}

/** Formats what it saves: "0.12 s". */
export function gainWords(gainMs: number): string {
  return `${(gainMs / 1000).toFixed(2)} s`
}

/** Says who did it: "Your lap 4 did.", "Your lap 4 (Heat 1) did." or "Max’s lap did." */
export function didWords(
  { did }: Pick<LapAdvice, 'did'>,
  reference: string,
  sessionOf: (lap: NonNullable<LapAdvice['did']>) => string | null,
): string {
  if (did === null) return `${reference}’s lap did.`
  const session = sessionOf(did)
  return session === null ? `Your lap ${did.lap} did.` : `Your lap ${did.lap} (${session}) did.`
}
