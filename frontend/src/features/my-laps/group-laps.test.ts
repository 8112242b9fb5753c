import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aSavedLap } from '#testing/a-saved-lap.ts'
import { groupLaps } from './group-laps.ts'

test('groups laps by file and session kind, the newest group first, each lap once', () => {
  const other = '20000000-0000-4000-8000-000000000002'
  const laps = [
    aSavedLap(4, { session_kind: 'race' }),
    aSavedLap(2),
    aSavedLap(3, { session_kind: 'race' }),
    aSavedLap(9, { ingest_id: other, session_kind: null }),
    aSavedLap(1),
  ]
  assert.deepEqual(
    groupLaps(laps).map(group => group.laps.map(({ lap }) => lap)),
    [[4, 3], [2, 1], [9]],
  )
  assert.equal(new Set(groupLaps(laps).map(({ key }) => key)).size, 3)
  assert.deepEqual(groupLaps([]), [])
})
