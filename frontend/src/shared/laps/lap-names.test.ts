import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lap } from '@lapwing/telemetry'
import { lapNames } from './lap-names.ts'

const lap = (number: number, session_num: number, session_name: string | null) =>
  ({ lap: number, session_num, session_name }) as Lap

test('names the session of a lap if the file has several sessions', () => {
  const laps = [lap(2, 0, 'Practice'), lap(2, 2, 'Heat 1')]
  const { nameOf, sessionOf } = lapNames(laps)
  assert.deepEqual(laps.map(nameOf), ['Practice · Lap 2', 'Heat 1 · Lap 2'])
  assert.deepEqual(laps.map(sessionOf), ['Practice', 'Heat 1'])
})

test('names no session if the file has one', () => {
  const laps = [lap(2, 1, 'Practice'), lap(3, 1, 'Practice')]
  const { nameOf, sessionOf } = lapNames(laps)
  assert.deepEqual(laps.map(nameOf), ['Lap 2', 'Lap 3'])
  assert.deepEqual(laps.map(sessionOf), [null, null])
})

test('counts sessions without a name', () => {
  const laps = [lap(2, 0, null), lap(2, 1, null)]
  assert.deepEqual(laps.map(lapNames(laps).nameOf), ['Session 1 · Lap 2', 'Session 2 · Lap 2'])
})
