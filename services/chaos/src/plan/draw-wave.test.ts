import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { drawWave, nextSeed } from './draw-wave.ts'
import type { WavePlan } from './wave-plan.ts'

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 })

test('a wave is its seed: the same again, and another for another', () => {
  fc.assert(
    fc.property(seeds, seed => {
      assert.deepEqual(drawWave(seed, 20), drawWave(seed, 20))
      assert.notDeepEqual(drawWave(nextSeed(seed), 20), drawWave(seed, 20))
    }),
  )
})

test('waves of different seeds share no driver and no board', () => {
  const of = (wave: WavePlan) => ({
    users: new Set(wave.trials.map(trial => trial.userId)),
    tracks: new Set(wave.trials.map(trial => trial.file.combination.trackName)),
  })
  fc.assert(
    fc.property(seeds, seeds, (one, other) => {
      fc.pre(one !== other)
      const [a, b] = [of(drawWave(one, 20)), of(drawWave(other, 20))]
      assert.deepEqual(shared(a.users, b.users), [])
      assert.deepEqual(shared(a.tracks, b.tracks), [])
    }),
  )
})

test('within some waves every kind of file, of client and of fault turns up', () => {
  const seen = new Set<string>()
  for (let seed = 1, count = 0; count < 400; seed = nextSeed(seed), count++) {
    const { trials, faults } = drawWave(seed, 20)
    for (const { kind, program } of trials) {
      seen.add(`file ${kind}`)
      seen.add(`returns ${program.returns}`)
      seen.add(`leaves ${program.leaves?.step} ${typeof program.leaves?.at}`)
    }
    for (const fault of faults) {
      seen.add(`fault ${fault.kind} ${'process' in fault ? fault.process : ''}`.trim())
      if (fault.kind === 'weather') seen.add(`weather ${fault.weather.kind}`)
      if (fault.kind === 'weather' || fault.kind === 'cut') seen.add(`on ${fault.link}`)
      seen.add('afterMs' in fault.starts ? 'by the clock' : 'in a step')
    }
  }
  // 6 files, 3 returns, 4 steps left at two moments and none, 10 processes killed or frozen,
  // 7 other faults, 4 weathers, 21 links, 2 kinds of moment.
  assert.equal(seen.size, 6 + 3 + 9 + 10 + 7 + 4 + 21 + 2, [...seen].sort().join('\n'))
})

test('a file that is said to be the same again, or another driver’s, is one', () => {
  fc.assert(
    fc.property(seeds, seed => {
      const { trials } = drawWave(seed, 20)
      for (const trial of trials) {
        const twins = trials
          .slice(0, trial.number)
          .filter(other => JSON.stringify(other.file) === JSON.stringify(trial.file))
        const isOwn = twins.some(twin => twin.userId === trial.userId)
        const isOthers = twins.some(twin => twin.userId !== trial.userId)
        if (trial.kind === 'the same again') assert.ok(isOwn)
        else if (trial.kind === "another driver's") assert.ok(isOthers)
        else assert.deepEqual(twins, [])
      }
    }),
  )
})

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  return [...a].filter(item => b.has(item))
}
