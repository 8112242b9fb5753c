import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildIbt } from '@lapwing/simulator/build-ibt'
import { readDriverNumber } from './read-driver-number.ts'

function fileOf(driver: readonly string[], weekend: readonly string[] = []): Blob {
  const sessionText = [
    '---',
    'WeekendInfo:',
    ' TrackID: 1',
    ...weekend,
    'DriverInfo:',
    ' DriverCarIdx: 0',
    ' Drivers:',
    ' - CarIdx: 0',
    ...driver,
    ' - CarIdx: 1',
    '   UserID: 99',
    '...',
    '',
  ].join('\n')
  const variables = [{ name: 'Lap', type: 'int' as const, values: () => 1 }]
  return new Blob([new Uint8Array(buildIbt({ rows: 2, variables, sessionText }))])
}

test('reads the number of the file’s driver, and of no other car', async () => {
  assert.deepEqual(await readDriverNumber(fileOf(['   UserID: 42'])), { sim: 'iracing', driver_number: '42' })
})

test('finds no number in a team entry, in a file without a driver, or in a file that is no telemetry', async () => {
  for (const file of [
    fileOf(['   UserID: 42', '   TeamID: 7']),
    fileOf(['   UserID: 42'], [' TeamRacing: 1']),
    fileOf(['   UserID: 0']),
    fileOf([]),
    new Blob(['no telemetry']),
    new Blob([]),
  ]) {
    assert.equal(await readDriverNumber(file), null)
  }
})
