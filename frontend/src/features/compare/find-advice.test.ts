import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSampleSession } from '@lapwing/simulator/sample'
import { bytesSource, type Lap, previewSession } from '@lapwing/telemetry'
import { lapTrack } from '@lapwing/telemetry/compare'
import { createCompareLaps, type ReferenceSource } from './compare-laps.ts'
import { findAdvice } from './find-advice.ts'
import { timedLaps } from './session-references.ts'

const sample = await previewSession(bytesSource(makeSampleSession()))
const [best, second] = timedLaps(sample.laps) as [Lap, Lap]
const slow = sample.laps[1]!

const tracks = new WeakMap()
const deps = { compareLaps: createCompareLaps(tracks), known: null, pause: async () => {}, tracks }

const find = (lap: Lap, source: ReferenceSource) => findAdvice(sample, lap, source, deps)

test('a reference of the session is the lap that did it', async () => {
  const advice = await find(slow, { kind: 'session', lap: best })
  assert.equal(advice.length, 3)
  assert.ok(advice.every(({ did }) => did === best))
})

test('beside another driver’s lap, laps of the session that did it come first', async () => {
  const advice = await find(slow, { kind: 'external', name: 'Max', track: lapTrack(sample, second)! })
  assert.equal(advice.length, 3)
  assert.ok(advice.every(({ did }) => did !== null && did !== slow))
})

test('the ideal lap itself did nothing: without a lap that did it there is no advice', async () => {
  const track = lapTrack(sample, best)!
  const quicker = {
    ...track,
    timeMs: track.timeMs - 1000,
    time: track.time.map(seconds => seconds * (1 - 1000 / track.timeMs)),
    speed: track.speed!.map(mps => mps + 2),
  }
  const ideal = await find(best, { kind: 'ideal', name: 'Ideal lap', track: quicker })
  assert.ok(ideal.every(({ did }) => did !== null))
  const external = await find(best, { kind: 'external', name: 'Max', track: quicker })
  assert.ok(external.some(({ did }) => did === null))
})

test('says nothing of a lap that is not whole', async () => {
  assert.deepEqual(await find(sample.laps.at(-1)!, { kind: 'session', lap: best }), [])
})
