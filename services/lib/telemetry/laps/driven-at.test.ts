import assert from 'node:assert/strict'
import { test } from 'node:test'
import { channel, syntheticLaps } from '../testing/synthetic-laps.ts'
import { drivenAt } from './driven-at.ts'
import { findLaps } from './find-laps.ts'

const startDate = new Date('2026-03-01T18:00:00Z')

const secondsOf = (moments: readonly (Date | null)[]) =>
  moments.map(moment => Math.round((moment!.getTime() - startDate.getTime()) / 1000))

test('returns when each lap began by the date of the file and its clock', () => {
  const { columns, facts } = syntheticLaps({ lapTimesS: [60, 58] })
  const laps = findLaps(columns, facts)
  const moments = drivenAt(laps, columns.byName.get('SessionTime')!.values, startDate)
  assert.deepEqual(secondsOf(moments), [0, 12, 72, 130])
})

test('continues to count if the clock restarts with the next session', () => {
  const session = syntheticLaps({ lapTimesS: [60, 58] })
  const time = channel(session, 'SessionTime')
  const [, , from] = session.lineRows
  for (let row = from! + 60; row < time.length; row++) time[row] = (row - from!) / 60
  channel(session, 'SessionNum').fill(2, from! + 60)
  const laps = findLaps(session.columns, session.facts)
  assert.deepEqual(secondsOf(drivenAt(laps, time, startDate)), [0, 12, 72, 130, 131])
})

test('returns null for a file without a date', () => {
  const { columns, facts } = syntheticLaps({ lapTimesS: [60] })
  const laps = findLaps(columns, facts)
  assert.deepEqual(drivenAt(laps, columns.byName.get('SessionTime')!.values, null), [null, null, null])
})
