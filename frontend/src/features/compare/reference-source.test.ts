import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lapTrack } from '@lapwing/telemetry/compare'
import { aPreview } from '#testing/a-preview.ts'
import { referenceSource } from './reference-source.ts'

const preview = aPreview({ completeLaps: 3 })
const [, , second, third] = preview.laps
const track = lapTrack(preview, third!)!
const ideal = { isOn: true, source: 'session', external: null, sessionRow: 'ideal' } as const

test('the ideal lap is the reference under its own name', () => {
  const source = referenceSource(preview.laps, second, ideal, track)
  assert.deepEqual(source, { kind: 'ideal', name: 'Ideal lap', track })
})

test('until there is an ideal lap, the fastest other lap is the reference', () => {
  const fastest = { kind: 'session', lap: third }
  assert.deepEqual(referenceSource(preview.laps, second, ideal, null), fastest)
  assert.deepEqual(referenceSource(preview.laps, second, { ...ideal, sessionRow: null }, track), fastest)
  assert.equal(referenceSource(preview.laps, second, { ...ideal, isOn: false }, track), null)
})
