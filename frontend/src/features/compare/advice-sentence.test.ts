import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lap } from '@lapwing/telemetry'
import type { AdviceAction } from '@lapwing/telemetry/advice'
import type { Corner } from '@lapwing/telemetry/compare'
import { adviceWords, didWords, gainWords } from './advice-sentence.ts'

const corner: Corner = {
  number: '1',
  name: 'Turn 1',
  knownAs: null,
  kind: 'turn',
  direction: 'left',
  startPct: 0.1,
  apexPct: 0.15,
  endPct: 0.2,
}

test('says in a driver’s words what to do and where', () => {
  const cases: readonly (readonly [AdviceAction, string])[] = [
    [{ kind: 'brake_later', metres: 6 }, 'Brake 6 m later into Turn 1'],
    [{ kind: 'lift_later', metres: 9 }, 'Lift 9 m later into Turn 1'],
    [{ kind: 'lift_only' }, 'Only lift for Turn 1, without the brake'],
    [{ kind: 'stay_flat' }, 'Stay on the throttle through Turn 1'],
    [{ kind: 'carry_speed', mps: 1.2, otherMps: 30 }, 'Carry 4 km/h more through Turn 1'],
    [{ kind: 'throttle_earlier', metres: 8 }, 'Press the throttle 8 m earlier in Turn 1'],
    [{ kind: 'full_throttle_earlier', metres: 12 }, 'Reach full throttle 12 m earlier after Turn 1'],
    [{ kind: 'hold_throttle' }, 'Stay on the throttle after Turn 1'],
    [{ kind: 'run_tighter', metres: 2 }, 'Stay 2 m tighter at the exit of Turn 1'],
    [{ kind: 'shift_faster', neutralS: 0.62 }, 'Shift faster after Turn 1: 0.6 s were in neutral'],
    [{ kind: 'use_gear', gear: 2, ownGear: 3 }, 'Leave Turn 1 in gear 2, not in 3'],
  ]
  for (const [action, words] of cases) assert.equal(adviceWords({ action, corner }, 'km/h'), words)
  assert.equal(
    adviceWords({ action: { kind: 'hold_throttle' }, corner: null }, 'mph'),
    'Stay on the throttle after the line',
  )
})

test('never rounds a difference of speeds to nothing', () => {
  assert.equal(
    adviceWords({ action: { kind: 'carry_speed', mps: 0.3, otherMps: 30 }, corner }, 'mph'),
    'Carry 1 mph more through Turn 1',
  )
})

test('says how much it saves and which lap did it', () => {
  assert.equal(gainWords(117), '0.12 s')
  assert.equal(gainWords(30), '0.03 s')
  const did = { lap: 4 } as Lap
  assert.equal(
    didWords({ did }, 'Max', () => null),
    'Your lap 4 did.',
  )
  assert.equal(
    didWords({ did }, 'Max', () => 'Heat 1'),
    'Your lap 4 (Heat 1) did.',
  )
  assert.equal(
    didWords({ did: null }, 'Max', () => null),
    'Max’s lap did.',
  )
})
