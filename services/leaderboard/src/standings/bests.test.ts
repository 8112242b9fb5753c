import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hideDriver, hideLap, restoreLap } from '../moderation/hide.ts'
import { aLap, aStanding, lapIdOf, summit } from '../test/a-standing.ts'
import { type Harness, harness } from '../test/harness.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const drivenIn = (car: string) => ({ ...summit, car_slug: car, car_label: car })

test('counts the drivers of each board and finds the best of the others', async () => {
  const combination = drivenIn('bests')
  const dirty = (timeMs: number) => aLap(timeMs, { is_clean: false })
  await service.put(aStanding('user-a', 90_000, { combination }))
  await service.put(aStanding('user-b', 91_000, { combination, clean: null, complete: dirty(89_000) }))
  assert.deepEqual(await service.bests(combination, 'user-c'), {
    complete: { drivers: 2, best_time_ms: 89_000 },
    clean: { drivers: 1, best_time_ms: 90_000 },
  })
  // The driver's own entry counts as a driver, but not as the best.
  assert.deepEqual(await service.bests(combination, 'user-b'), {
    complete: { drivers: 2, best_time_ms: 90_000 },
    clean: { drivers: 1, best_time_ms: 90_000 },
  })
  assert.deepEqual((await service.bests(combination, 'user-a')).clean, { drivers: 1, best_time_ms: null })
})

test('leaves demo drivers out of the count and of the best', async () => {
  const combination = drivenIn('demo-board')
  for (let i = 0; i < 12; i++) await service.put(aStanding(`demo-${i}`, 80_000 + i, { combination }))
  assert.deepEqual((await service.bests(combination, 'user-a')).complete, { drivers: 0, best_time_ms: null })
  await service.put(aStanding('user-demo-1', 95_000, { combination }))
  assert.deepEqual((await service.bests(combination, 'user-a')).complete, {
    drivers: 1,
    best_time_ms: 95_000,
  })
})

test('ignores a hidden lap and a hidden driver immediately', async () => {
  const combination = drivenIn('hidden-bests')
  for (const [user, timeMs] of [
    ['user-d', 70_000],
    ['user-e', 75_000],
    ['user-f', 78_000],
  ] as const)
    await service.put(aStanding(user, timeMs, { combination }))
  const best = async () => (await service.bests(combination, 'user-a')).complete
  assert.deepEqual(await best(), { drivers: 3, best_time_ms: 70_000 })
  await hideLap(service.db, lapIdOf('user-d 70000'))
  assert.deepEqual(await best(), { drivers: 2, best_time_ms: 75_000 })
  await hideDriver(service.db, 'user-e')
  assert.deepEqual(await best(), { drivers: 1, best_time_ms: 78_000 })
  await restoreLap(service.db, lapIdOf('user-d 70000'))
  assert.deepEqual(await best(), { drivers: 2, best_time_ms: 70_000 })
})

test('counts at most 100 drivers', async () => {
  const combination = drivenIn('many')
  for (let i = 0; i < 105; i++) await service.put(aStanding(`user-many-${i}`, 80_000 + i, { combination }))
  assert.deepEqual((await service.bests(combination, 'user-a')).complete, {
    drivers: 100,
    best_time_ms: 80_000,
  })
})

test('returns no best for a combination without laps', async () => {
  const none = { drivers: 0, best_time_ms: null }
  assert.deepEqual(await service.bests(drivenIn('unknown'), 'user-a'), { complete: none, clean: none })
})
