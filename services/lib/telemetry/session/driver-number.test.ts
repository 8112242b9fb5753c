import assert from 'node:assert/strict'
import { test } from 'node:test'
import { driverNumberOf } from './driver-number.ts'
import { readSessionFacts } from './read-session-facts.ts'

const numberOf = (teamRacing: number, ...driver: readonly string[]) => {
  const weekend = `WeekendInfo:\n TeamRacing: ${teamRacing}\n`
  const text = `${weekend}DriverInfo:\n DriverCarIdx: 3\n Drivers:\n - CarIdx: 3\n   ${driver.join('\n   ')}\n`
  return driverNumberOf(readSessionFacts(new TextEncoder().encode(text)))
}

test('returns the driver number of the file', () => {
  assert.equal(numberOf(0, 'UserID: 200002', 'TeamID: 0'), '200002')
})

test("returns null for a team entry, whose number may be a team mate's", () => {
  assert.equal(numberOf(0, 'UserID: 200002', 'TeamID: 77'), null)
  assert.equal(numberOf(1, 'UserID: 200002', 'TeamID: 0'), null)
})

test('returns null if the file does not state who drove', () => {
  for (const userId of ['UserID: 0', 'UserID: -1', 'UserID: none', 'CarID: 5']) {
    assert.equal(numberOf(0, userId), null, userId)
  }
})
