import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildIbt } from '@lapwing/simulator/build-ibt'
import fc from 'fast-check'
import { sharedIbtFiles, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { bytesSource } from '../byte-source.ts'
import { countingSource } from '../testing/counting-source.ts'
import { openIbt } from './open-ibt.ts'
import { readColumns } from './read-columns.ts'
import { rowsOf } from './rows-of.ts'

const ROWS = 50
const bytes = buildIbt({
  rows: ROWS,
  variables: [
    { name: 'A', type: 'float', values: row => row / 8 },
    { name: 'B', type: 'int', count: 3, values: (row, i) => 10 * row + i },
  ],
})

test('reads the rows of a part, the same as in the whole file, and no byte of the others', async () => {
  const whole = await readColumns(await openIbt(bytesSource(bytes)), 'all')
  await fc.assert(
    fc.asyncProperty(fc.nat(ROWS - 1), fc.nat(ROWS - 1), async (one, other) => {
      const [from, end] = [Math.min(one, other), Math.max(one, other) + 1]
      const source = countingSource(bytesSource(bytes))
      const file = await openIbt(source)
      const before = source.asked.bytes
      const part = await readColumns(rowsOf(file, { from, end }), 'all')
      assert.equal(source.asked.bytes - before, (end - from) * file.bufLen)
      for (const [name, { count, values }] of whole.byName) {
        assert.deepEqual(part.byName.get(name)!.values, values.slice(from * count, end * count))
      }
    }),
  )
})

test('refuses rows that the file does not have', async () => {
  const file = await openIbt(bytesSource(bytes))
  for (const [from, end] of [
    [-1, 3],
    [4, 3],
    [3, 3],
    [0, ROWS + 1],
    [0.5, 3],
    [0, Number.NaN],
  ] as const) {
    assert.throws(() => rowsOf(file, { from, end }), RangeError)
  }
})

test('reads the middle of each recorded file as it is in the whole file', {
  skip: sharedIbtMissing,
}, async () => {
  for (const { name, bytes } of sharedIbtFiles()) {
    const file = await openIbt(bytesSource(bytes))
    const [from, end] = [Math.floor(file.rows / 3), Math.floor(file.rows / 2)]
    const names = ['SessionTime', 'RPM', 'Gear', 'SteeringWheelTorque_ST']
    const whole = await readColumns(file, names)
    const part = await readColumns(rowsOf(file, { from, end }), names)
    assert.ok(part.byName.size >= 3, name)
    for (const [channel, { count, values }] of whole.byName) {
      const expected = values.slice(from * count, end * count)
      assert.deepEqual(part.byName.get(channel)!.values, expected, `${channel} of ${name}`)
    }
  }
})
