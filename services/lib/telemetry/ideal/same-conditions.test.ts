import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lap, LapReason } from '../laps/lap.ts'
import { sameConditions } from './same-conditions.ts'

function lap(number: number, time_s: number, reasons: readonly LapReason[] = [], trackC = 30): Lap {
  return {
    lap: number,
    is_completed: true,
    is_clean: reasons.length === 0,
    reasons,
    time_s,
    time_fmt: null,
    time_source: 'official',
    row_start: 1000 * number,
    row_end: 1000 * number + 999,
    incidents: [],
    session_num: 0,
    session_name: null,
    figures: {
      sectors_s: [],
      top_speed_mps: null,
      fuel_used_l: null,
      tyre_temps_c: [],
      track_temp_c: trackC,
      incident_points: null,
    },
  }
}

const numbers = (laps: readonly Lap[]) => sameConditions(laps).map(group => group.map(({ lap }) => lap))

test('groups the clean laps of a stint, the fastest first', () => {
  assert.deepEqual(numbers([lap(1, 90, ['OUT']), lap(2, 82), lap(3, 81), lap(4, 80, ['INCIDENT'])]), [[3, 2]])
})

test('begins a group after the pits, after a reset and with each session', () => {
  const laps = [lap(1, 80), lap(2, 81), lap(3, 90, ['IN']), lap(4, 82), lap(5, 83), lap(6, 50, ['JUMP'])]
  const race = [lap(7, 84), lap(8, 85)].map(lap => ({ ...lap, session_num: 1 }))
  assert.deepEqual(numbers([...laps, lap(9, 86), ...race]), [
    [1, 2],
    [4, 5],
    [7, 8],
  ])
})

test('leaves out laps on a warmer or colder track than the fastest', () => {
  assert.deepEqual(numbers([lap(1, 82, [], 27.9), lap(2, 80), lap(3, 81, [], 31.9), lap(4, 83, [], 32.1)]), [
    [2, 3],
  ])
})

test('leaves out laps on a wetter or drier track', () => {
  const wetter = lap(2, 81)
  const laps = [lap(1, 80), { ...wetter, figures: { ...wetter.figures!, track_wetness: 3 } }, lap(3, 82)]
  assert.deepEqual(numbers(laps), [[1, 3]])
})

test('has no group for a single clean lap', () => {
  assert.deepEqual(numbers([lap(1, 80), lap(2, 81, ['OFF_TRACK'])]), [])
})
