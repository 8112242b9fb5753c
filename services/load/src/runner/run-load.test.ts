import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import { writePack } from '../files/write-pack.ts'
import { type Bundle, bundleScripts } from '../k6/bundle-scripts.ts'
import { runScript } from '../k6/testing/run-script.ts'
import { type Journey, journeyOf, type Scenario, scenarios } from '../scenarios/scenarios.ts'
import { k6Thresholds, thresholdsOf } from '../scenarios/thresholds.ts'
import { type RunName, trackOf } from '../scenarios/world.ts'
import { Failed } from '../steps/ask.ts'
import { findBoards, readRows } from '../steps/boards.ts'
import { signUp } from '../steps/drivers.ts'
import { findTarget } from '../steps/target.ts'
import type { LoadOptions } from './options.ts'
import { type LoadedLapwing, startOwnStack } from './own-stack.ts'
import { type LoadReport, runLoad } from './run-load.ts'
import { createClients } from './undici-http.ts'

const signal = new AbortController().signal
let lapwing: LoadedLapwing
let scripts: readonly Bundle[]

before(async () => {
  // The tests check what is counted, not the strength of a hash.
  Object.assign(process.env, { ARGON2_MEMORY_KIB: '64', ARGON2_PASSES: '1' })
  lapwing = await startOwnStack({ say: () => {}, signal })
  scripts = await bundleScripts()
})

after(() => lapwing?.stop())

const aRun = (scenario: Scenario, rate: number, more: Partial<LoadOptions> = {}): LoadOptions => ({
  scenario,
  rate: { from: rate, to: rate },
  durationS: 2,
  isSearch: false,
  target: null,
  sizesMib: [2],
  metrics: {},
  ...more,
})

/** Loads the stack of this file, which stays. */
const load = (options: LoadOptions): Promise<LoadReport> =>
  runLoad(options, { say: () => {}, signal, startStack: async () => ({ ...lapwing, stop: async () => {} }) })

/** How many of the first arrivals make each journey. */
function journeysOf(scenario: Scenario, arrivals: number): Record<string, number> {
  const counts: Partial<Record<Journey, number>> = {}
  for (let arrival = 0; arrival < arrivals; arrival++) {
    const { journey } = journeyOf(scenario, arrival)
    counts[journey] = (counts[journey] ?? 0) + 1
  }
  return counts
}

for (const [scenario, rate] of [
  [scenarios.browse, 2],
  [scenarios.ingest, 1.5],
  // The twentieth arrival is the first one with a preview.
  [scenarios.mixed, 10],
] as const) {
  test(`completes every journey of ${scenario.name}, and counts every answer`, async () => {
    const { steps, checkedRows } = await load(aRun(scenario, rate))
    const [{ step } = assert.fail()] = steps
    assert.deepEqual(step.failures, [])
    const arrivals = 2 * rate
    const { offered, completed, dropped, refused, failed } = step
    assert.deepEqual([offered, completed, dropped, refused, failed], [arrivals, arrivals, 0, 0, 0])
    const journeys = journeysOf(scenario, arrivals)
    assert.deepEqual(
      Object.fromEntries(Object.entries(step.journeys).map(([name, { count }]) => [name, count])),
      journeys,
    )
    assert.deepEqual(Object.keys(journeys).sort(), Object.keys(scenario.mix).sort())

    const { browse = 0, ingest = 0, preview = 0, 'sign-in': signIn = 0 } = journeys
    const expected = {
      'tracks 200': browse,
      'cars 200': browse,
      'page 200': 2 * browse,
      'me 200': browse,
      'reference 200': browse,
      'sign in 200': ingest + signIn,
      'init 200': ingest,
      'complete 200': ingest,
      'ingest 201': ingest,
      'preview 200': preview,
    }
    const {
      'post file 200': at200 = 0,
      'post file 201': at201 = 0,
      'post file 204': at204 = 0,
      ...answers
    } = step.answers
    assert.equal(at200 + at201 + at204, ingest)
    assert.deepEqual(answers, Object.fromEntries(Object.entries(expected).filter(([, count]) => count > 0)))
    // Twelve laps of the preparation are on boards that drivers look at.
    assert.equal(checkedRows, (browse > 0 ? 12 : 0) + ingest)

    const { usage } = step
    assert.ok(usage.cpuS.gateway! >= 0 && usage.cpuS.postgres! >= 0)
    const { ingest: ofIngest = 0, leaderboard = 0 } = usage.statements!
    if (ingest > 0) assert.ok(ofIngest >= ingest && leaderboard >= ingest, JSON.stringify(usage.statements))
    assert.ok(usage.loopDelayMs.gateway! > 0)
    if (ingest > 0) assert.ok(step.sentBytes > ingest * 2e6, `${step.sentBytes} bytes`)
  })
}

test('drops arrivals that it has no room for, and reports the crossed threshold', async () => {
  const scenario = { ...scenarios.browse, maxInFlight: 1, arrivalsADriver: 1e6 }
  const { steps } = await load(aRun(scenario, 200, { durationS: 1 }))
  const [{ step, crossed } = assert.fail()] = steps
  assert.ok(step.dropped > 0)
  assert.equal(step.offered, 200)
  assert.equal(step.completed + step.dropped, 200)
  assert.ok(
    crossed.some(sentence => sentence.startsWith('dropped_iterations')),
    crossed.join(),
  )
})

test('counts a refusal at a limit apart from failures', async () => {
  const mix = { 'sign-in': 100 }
  const scenario: Scenario = { ...scenarios.mixed, mix, arrivalsADriver: 1e6, maxInFlight: 1_000 }
  // Seventy for each of the twelve drivers: a network may sign in thirty times a minute.
  const { steps } = await load(aRun(scenario, 420))
  const [{ step } = assert.fail()] = steps
  assert.deepEqual([step.failed, step.failures], [0, []])
  assert.ok(step.refused > 0)
  assert.equal(step.completed + step.refused, 840)
  assert.equal(step.answers['sign in 200'], step.completed)
  const refusals = Object.entries(step.answers).filter(([name]) =>
    /^sign in (?:429|503) [a-z_.]+$/.test(name),
  )
  assert.equal(
    refusals.reduce((sum, [, count]) => sum + count, 0),
    step.refused,
  )
})

test('refuses a run whose files do not fit into memory, before it starts anything', async () => {
  await assert.rejects(load(aRun(scenarios.mixed, 100, { durationS: 86_400 })), /uploads 432000 files/)
})

test('removes its drivers and laps from a Lapwing that it did not start', async () => {
  const { run, steps, checkedRows } = await load(aRun(scenarios.ingest, 1, { target: lapwing.url }))
  assert.deepEqual(steps[0]!.step.failures, [])
  assert.equal(checkedRows, 2)
  await untilNoRows(run)
})

for (const [name, iterations, id] of [
  ['browse', 2, '00000b'],
  ['ingest', 2, '00001b'],
  ['mixed', 20, '00002b'],
] as const) {
  test(`makes the journeys of ${name} with the script for k6, under the same thresholds`, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'lapwing-pack-'))
    try {
      const run: RunName = { id, drivers: 12 }
      const pack = join(dir, 'load.pack')
      writePack(pack, run, 16)
      const script = scripts.find(bundle => bundle.name === name)!
      const { options, samples } = await runScript(script, {
        env: { TARGET: lapwing.url, PACK: pack },
        iterations,
      })
      const times = samples.get('lapwing_journey')!
      assert.deepEqual([samples.get('lapwing_failed'), samples.get('lapwing_refused')], [[], []])
      assert.deepEqual(
        countBy(times.map(({ tags }) => tags.journey!)),
        journeysOf(scenarios[name], iterations),
      )
      assert.ok(times.every(({ value }) => value >= 0))
      assert.deepEqual(options.thresholds, k6Thresholds(thresholdsOf(scenarios[name])))
      await untilNoRows(run)
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** Waits until no board of the run has a row. Deletions reach the boards within seconds. */
async function untilNoRows(run: RunName): Promise<void> {
  const clients = createClients({ connections: 2 })
  try {
    const http = clients.unmeasured
    const target = await findTarget(http, lapwing.url)
    const reader = await signUp(http, target, run.id, run.drivers)
    await until(async () => {
      try {
        const boards = await findBoards(http, target, reader, trackOf(run))
        const rows = await Promise.all(boards.map(board => readRows(http, target, reader, board)))
        return rows.flat().length === 0
      } catch (error) {
        // A board without laps answers 404.
        if (error instanceof Failed && error.message.includes('404')) return true
        throw error
      }
    }, 'no row of the run')
  } finally {
    await clients.close()
  }
}
