import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costOfJourney } from './cost-of-journey.ts'
import type { Step } from './run-step.ts'

/** A step of ten seconds in which a journey costs 30 ms, and an idle Lapwing 0.2 cores. */
function aStep(achieved: number): Step {
  return {
    rate: { from: achieved, to: achieved },
    durationS: 10,
    offered: 10 * achieved,
    completed: 10 * achieved,
    dropped: 0,
    refused: 0,
    failed: 0,
    achieved,
    latestStartMs: 1,
    journeys: {},
    calls: {},
    answers: {},
    sentBytes: 10 * achieved * 2_000,
    receivedBytes: 10 * achieved * 300,
    failures: [],
    usage: {
      seconds: 10,
      cpuS: { gateway: 1 + 0.1 * achieved, postgres: 1 + 0.2 * achieved, load: 7 * achieved },
      machineBusy: null,
      loopDelayMs: {},
      waitingQueries: {},
      waitingFiles: 0,
      statements: { leaderboard: 5 + 40 * achieved },
      databaseBytes: 10 * achieved * 700,
    },
  }
}

const round = (value: number) => Math.round(value * 1e6) / 1e6

test('takes the cost of a journey from the slope, without that of an idle Lapwing and of the runner', () => {
  const cost = costOfJourney([aStep(4), aStep(8), aStep(20)])!
  assert.deepEqual(
    Object.entries(cost.cpuMs).map(([part, ms]) => [part, round(ms)]),
    [
      ['gateway', 10],
      ['postgres', 20],
    ],
  )
  assert.deepEqual([round(cost.cores.slope), round(cost.cores.intercept)], [0.03, 0.2])
  assert.equal(round(cost.aCore), round(1 / 0.03))
  assert.equal(round(cost.statements!.leaderboard!), 4)
  assert.deepEqual([cost.sentBytes, cost.receivedBytes, cost.databaseBytes], [2_000, 300, 700])
})

test('has no cost without two rates', () => {
  assert.equal(costOfJourney([aStep(4)]), null)
  assert.equal(costOfJourney([]), null)
})
