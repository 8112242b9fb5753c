import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildIbt, type IbtSpec, ibtBytes, ibtChunks } from './build-ibt.ts'
import { wideVariables } from './testing/wide-variables.ts'

const wide: IbtSpec = { rows: 2000, variables: wideVariables(), sessionText: '---\n...\n' }

test('writes a file in pieces equal to the whole file, cut or not', () => {
  for (const cutBytes of [0, 1, 5000, 2_000_000]) {
    const spec = { ...wide, cutBytes }
    const pieces = Array.from(ibtChunks(spec), piece => piece.slice())
    const file = buildIbt(spec)
    assert.equal(file.byteLength, ibtBytes(spec))
    assert.ok(Buffer.concat(pieces).equals(file))
  }
})

test('writes small pieces that share their memory, however long the file', () => {
  let rowBuffers = 0
  let last: ArrayBufferLike | undefined
  for (const piece of ibtChunks({ ...wide, rows: 20_000 })) {
    assert.ok(piece.byteLength <= 1024 * 1024)
    if (piece.byteLength > 100_000 && piece.buffer !== last) {
      rowBuffers++
      last = piece.buffer
    }
  }
  assert.equal(rowBuffers, 1)
})

test('writes session text as UTF-8', () => {
  const text = 'TrackName: Nürburgring – 鈴鹿 🏁\u007f\u0080\u07ff\u0800\uffff'
  const file = Buffer.from(buildIbt({ rows: 1, variables: wideVariables(), sessionText: text }))
  assert.ok(file.includes(Buffer.from(text)))
})

test('writes the variables of a current car to the wide file, without overlap', () => {
  const variables = wideVariables()
  assert.equal(variables.length, 299)
  assert.equal(new Set(variables.map(({ name }) => name)).size, 299)
  assert.equal((ibtBytes({ rows: 1001, variables }) - ibtBytes({ rows: 1, variables })) / 1000, 1152)
})
