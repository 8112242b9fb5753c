import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { drawWave, nextSeed } from './draw-wave.ts'
import type { WavePlan } from './wave-plan.ts'

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 })

test('draws the same wave for the same seed, and another for another', () => {
  fc.assert(
    fc.property(seeds, seed => {
      assert.deepEqual(drawWave(seed, 20), drawWave(seed, 20))
      assert.notDeepEqual(drawWave(nextSeed(seed), 20), drawWave(seed, 20))
    }),
  )
})

test('shares no driver and no board between waves of different seeds', () => {
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

test('draws every kind of file, client and fault within some waves', () => {
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
      if (fault.kind === 'condition') seen.add(`condition ${fault.condition.kind}`)
      if (fault.kind === 'condition' || fault.kind === 'cut') seen.add(`on ${fault.link}`)
      seen.add('afterMs' in fault.starts ? 'by the clock' : 'in a step')
    }
  }
  // 6 kinds of file, 3 of returns, 4 steps left at two moments and none. 10 processes killed or frozen, 7
  // other faults, 4 conditions, 21 links, 2 kinds of moment.
  assert.equal(seen.size, 6 + 3 + 9 + 10 + 7 + 4 + 21 + 2, [...seen].sort().join('\n'))
})

test('repeats a file that is planned as the same again or as another driver’s', () => {
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
