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

test('a goal is reached up to the very number', () => {
  assert.equal(isReached(line), true)
  assert.equal(isReached({ ...line, ratio: 0.85 }), true)
  assert.equal(isReached({ ...line, ratio: 0.8501 }), false)
})

test('a peer that is not there is not measured, never guessed', () => {
  const absent = { ...line, peer: null, ratio: null }
  assert.equal(isReached(absent), null)
  assert.match(formatLines([absent]), /reading +158 ms CPU +numpy +<= 0.85 +not measured$/)
})

test('a line without a goal says neither yes nor no', () => {
  assert.equal(isReached({ ...line, atMost: null }), null)
  assert.doesNotMatch(formatLines([{ ...line, atMost: null }]), /yes|no$/)
})

test('each line says name, ours, peer, ratio, goal, reached', () => {
  assert.match(formatLines([line]), /reading +158 ms CPU +numpy 208 +0.761 +<= 0.85 +yes$/)
})
