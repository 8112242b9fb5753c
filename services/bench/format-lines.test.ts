import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Line } from './bench.ts'
import { formatLines, isReached } from './format-lines.ts'

const line: Line = {
  name: 'reading',
  unit: 'ms CPU',
  ours: 158.4,
  peerName: 'numpy',
  peer: 208.2,
  ratio: 0.7608,
  atMost: 0.85,
}

test('counts a goal as reached up to the exact number', () => {
  assert.equal(isReached(line), true)
  assert.equal(isReached({ ...line, ratio: 0.85 }), true)
  assert.equal(isReached({ ...line, ratio: 0.8501 }), false)
})

test('leaves a missing peer unmeasured', () => {
  const absent = { ...line, peer: null, ratio: null }
  assert.equal(isReached(absent), null)
  assert.match(
    formatLines([{ name: 'read', lines: [absent] }]),
    /reading +158 ms CPU +numpy +<= 0.85 +not measured$/,
  )
})

test('prints the reason of a missing measurement', () => {
  const absent = { ...line, ours: null, peer: null, ratio: null, reason: 'no Chromium' }
  assert.equal(isReached(absent), null)
  assert.match(
    formatLines([{ name: 'browser', lines: [absent] }]),
    /reading +numpy +<= 0.85 +not measured: no Chromium$/,
  )
})

test('names a group once, at its first line', () => {
  const text = formatLines([
    { name: 'read', lines: [line, line] },
    { name: 'wire', lines: [line] },
  ])
  assert.equal(text.match(/^read /gm)?.length, 1)
  assert.match(text, /^wire +reading/m)
})

test('prints neither yes nor no for a line without a goal', () => {
  assert.equal(isReached({ ...line, atMost: null }), null)
  assert.doesNotMatch(formatLines([{ name: 'read', lines: [{ ...line, atMost: null }] }]), /yes|no$/)
})

test('prints group, name, ours, peer, ratio, goal and reached on each line', () => {
  assert.match(
    formatLines([{ name: 'read', lines: [line] }]),
    /^read +reading +158 ms CPU +numpy 208 +0.761 +<= 0.85 +yes$/m,
  )
})
