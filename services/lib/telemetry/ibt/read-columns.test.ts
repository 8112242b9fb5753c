import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { buildIbt, type IbtSection, type IbtSpec, type IbtVariableSpec } from '@lapwing/simulator/build-ibt'
import { wideVariables } from '@lapwing/simulator/testing/wide-variables'
import fc from 'fast-check'
import { sharedIbt, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { bytesSource } from '../byte-source.ts'
import type { ColumnValues, VariableType } from '../columns.ts'
import { countingSource } from '../testing/counting-source.ts'
import { IbtError } from './ibt-error.ts'
import { MAX_COLUMN_BYTES } from './limits.ts'
import { openIbt } from './open-ibt.ts'
import { readColumns } from './read-columns.ts'

const open = (spec: IbtSpec) => openIbt(bytesSource(buildIbt(spec)))

async function valuesOf(spec: IbtSpec, name: string): Promise<number[]> {
  const columns = await readColumns(await open(spec), [name])
  return [...columns.byName.get(name)!.values]
}

const bitsOf = (values: ColumnValues) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength)

const arrays: Record<VariableType, new (buffer: ArrayBuffer) => ColumnValues> = {
  char: Uint8Array,
  bool: Uint8Array,
  int: Int32Array,
  bitfield: Uint32Array,
  float: Float32Array,
  double: Float64Array,
}
const types = Object.keys(arrays) as VariableType[]

/** Columns of random bits, so that every NaN payload, -0 and denormal occurs. */
const anyVariables = (rows: number) =>
  fc
    .array(
      fc
        .record({ type: fc.constantFrom(...types), count: fc.integer({ min: 1, max: 7 }) })
        .chain(({ type, count }) =>
          fc.uint8Array({ minLength: rows * count * 8, maxLength: rows * count * 8 }).map(bytes => ({
            type,
            count,
            bytes: bytes.slice(0, rows * count * new arrays[type](new ArrayBuffer(8)).BYTES_PER_ELEMENT),
          })),
        ),
      { minLength: 1, maxLength: 8 },
    )
    .map(list =>
      list.map(({ type, count, bytes }, i) => ({
        name: `V${i}`,
        type,
        count,
        values: new arrays[type](bytes.buffer),
      })),
    )

const anySpec = fc.integer({ min: 1, max: 30 }).chain(rows =>
  fc.record({
    rows: fc.constant(rows),
    version: fc.constantFrom(1, 2),
    variables: anyVariables(rows),
    order: fc.shuffledSubarray<IbtSection>(['variables', 'session', 'rows'], { minLength: 3 }),
  }),
)

test('reads values bit for bit: all types, arrays, NaN payloads, any order of sections', async () => {
  const check = fc.asyncProperty(anySpec, async spec => {
    const columns = await readColumns(await open({ ...spec, sessionText: '---\n...\n' }), 'all')
    assert.equal(columns.rows, spec.rows)
    assert.deepEqual(
      [...columns.byName.keys()],
      spec.variables.map(variable => variable.name),
    )
    for (const { name, type, count, values } of spec.variables) {
      const column = columns.byName.get(name)!
      assert.equal(column.type, type)
      assert.equal(column.count, count)
      assert.equal(column.values.constructor, values.constructor)
      assert.deepEqual(bitsOf(column.values), bitsOf(values))
    }
  })
  await fc.assert(check, { numRuns: 300 })
})

test('reads a signalling NaN with its payload', async () => {
  const float = new Float32Array(new Uint32Array([0x7fa0_1234, 0xffbf_ffff]).buffer)
  const double = new Float64Array(new BigUint64Array([0x7ff4_dead_beef_0001n, 0xfff0_0000_0000_0001n]).buffer)
  const variables: IbtVariableSpec[] = [
    { name: 'IsOnTrack', type: 'bool', values: () => 1 },
    { name: 'Float', type: 'float', values: float },
    { name: 'Double', type: 'double', values: double },
  ]
  const { byName } = await readColumns(await open({ rows: 2, variables }), 'all')
  assert.deepEqual(bitsOf(byName.get('Float')!.values), bitsOf(float))
  assert.deepEqual(bitsOf(byName.get('Double')!.values), bitsOf(double))
})

// Files that other readers read wrongly.
const int = (name: string, values: number[]): IbtVariableSpec => ({ name, type: 'int', values })
const pitfalls: { promise: string; variables: IbtVariableSpec[]; name: string; values: number[] }[] = [
  {
    promise: 'reads row 0',
    variables: [int('Lap', [7, 8, 9])],
    name: 'Lap',
    values: [7, 8, 9],
  },
  {
    promise: 'reads bools at their own byte',
    variables: [
      { name: 'A', type: 'bool', values: [0, 0, 0] },
      { name: 'OnPitRoad', type: 'bool', values: [1, 0, 1] },
      { name: 'B', type: 'bool', values: [0, 1, 0] },
    ],
    name: 'OnPitRoad',
    values: [1, 0, 1],
  },
  {
    promise: 'reads a bool that is neither 0 nor 1 as its byte',
    variables: [{ name: 'DriverMarker', type: 'bool', values: [255, 2, 0] }],
    name: 'DriverMarker',
    values: [255, 2, 0],
  },
  {
    promise: 'reads ints below -1 as negative',
    variables: [int('Gear', [-1, -2, -2_147_483_648])],
    name: 'Gear',
    values: [-1, -2, -2_147_483_648],
  },
  {
    promise: 'reads arrays whole, row after row',
    variables: [
      { name: 'SteeringWheelTorque_ST', type: 'float', count: 6, values: (row, index) => row * 6 + index },
      int('Lap', [0, 0, 0]),
    ],
    name: 'SteeringWheelTorque_ST',
    values: Array.from({ length: 18 }, (_, i) => i),
  },
  {
    promise: 'reads bit fields as unsigned',
    variables: [{ name: 'SessionFlags', type: 'bitfield', values: [0x8000_0000, 0xffff_ffff, 4] }],
    name: 'SessionFlags',
    values: [0x8000_0000, 0xffff_ffff, 4],
  },
  {
    promise: 'reads chars as their bytes',
    variables: [{ name: 'Text', type: 'char', count: 2, values: [72, 105, 0, 200, 65, 0] }],
    name: 'Text',
    values: [72, 105, 0, 200, 65, 0],
  },
  {
    promise: 'reads doubles with all their digits',
    variables: [int('Lap', [0, 0, 0]), { name: 'Lat', type: 'double', values: [47.21953, -0.1, 1e-300] }],
    name: 'Lat',
    values: [47.21953, -0.1, 1e-300],
  },
]
for (const { promise, variables, name, values } of pitfalls) {
  test(promise, async () => {
    assert.deepEqual(await valuesOf({ rows: 3, variables }, name), values)
  })
}

test('reads a blank first row as it is', async () => {
  assert.deepEqual(
    await valuesOf({ rows: 3, junkRow0: true, variables: [int('Lap', [5, 6, 7])] }, 'Lap'),
    [0, 6, 7],
  )
})

test('reads the rows before a cut tail', async () => {
  const spec: IbtSpec = { rows: 5, cutBytes: 2, variables: [int('Lap', [1, 2, 3, 4, 5])] }
  assert.deepEqual(await valuesOf(spec, 'Lap'), [1, 2, 3, 4])
})

test('omits unknown names, and returns repeated names once', async () => {
  const file = await open({ rows: 1, variables: [int('Lap', [1])] })
  const columns = await readColumns(file, ['Alt', 'Lap', 'Lap', '__proto__'])
  assert.deepEqual([...columns.byName.keys()], ['Lap'])
  assert.equal((await readColumns(file, [])).rows, 1)
})

// 4,000 rows of 1,152 bytes are nine blocks of the synchronous size, the last of them short.
const wide: IbtSpec = { rows: 4000, variables: wideVariables() }

test('reads a file of many blocks the same from a synchronous, an asynchronous and a partial source', async () => {
  const file = await open(wide)
  const { source } = file
  const later = { size: source.size, read: async (at: number, into: Uint8Array) => source.read(at, into) }
  const parts = {
    size: source.size,
    read: (at: number, into: Uint8Array) => source.read(at, into.subarray(0, 99_991)),
  }
  const columns = await readColumns(file, 'all')
  for (const other of [later, parts])
    assert.deepEqual(await readColumns({ ...file, source: other }, 'all'), columns)
  for (const { name, values, count = 1 } of wide.variables) {
    assert.ok(typeof values === 'function')
    const column = columns.byName.get(name)!
    const exact = new (column.values.constructor as Float64ArrayConstructor)(1)
    for (const row of [0, 1, 127, 128, 454, 455, 456, 3999]) {
      exact[0] = values(row, count - 1)
      assert.equal(column.values[row * count + count - 1], exact[0], `${name} at row ${row}`)
    }
  }
})

test('reads only the samples, in blocks of bounded size', async () => {
  const file = await open(wide)
  const source = countingSource(file.source)
  await readColumns({ ...file, source }, ['Speed'])
  assert.equal(source.asked.bytes, file.sizes.samples)
  assert.ok(source.asked.most <= 512 * 1024)
})

test('reports progress that rises to 1', async () => {
  const shares: number[] = []
  await readColumns(await open(wide), ['Speed'], { onProgress: share => shares.push(share) })
  assert.ok(shares.length > 5)
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b),
  )
  assert.equal(shares.at(-1), 1)
})

test('stops between two blocks with the reason of the signal', async () => {
  const controller = new AbortController()
  const reason = new Error('another file was dropped')
  let blocks = 0
  const onProgress = () => {
    blocks++
    controller.abort(reason)
  }
  const reading = readColumns(await open(wide), ['Speed'], { onProgress, signal: controller.signal })
  await assert.rejects(reading, error => error === reason)
  assert.equal(blocks, 1)
})

test('rejects a source that ends early as truncated', async () => {
  const file = await open(wide)
  const short = bytesSource(buildIbt(wide).subarray(0, 700_000))
  const reading = readColumns({ ...file, source: short }, ['Speed'])
  await assert.rejects(reading, error => error instanceof IbtError && error.code === 'ibt.truncated')
})

test('rejects columns that are too large for memory', async () => {
  const file = await open({ rows: 1, variables: [{ name: 'Lat', type: 'double', values: () => 0 }] })
  for (const rows of [MAX_COLUMN_BYTES / 8 + 1, 2 ** 53]) {
    const reading = readColumns({ ...file, rows }, 'all')
    await assert.rejects(reading, error => error instanceof IbtError && error.code === 'ibt.too_large')
  }
})

// Reads independently: one value at a time by its own offset, with DataView's conversions.
const getters: Record<VariableType, (view: DataView, at: number) => number> = {
  char: (view, at) => view.getUint8(at),
  bool: (view, at) => view.getUint8(at),
  int: (view, at) => view.getInt32(at, true),
  bitfield: (view, at) => view.getUint32(at, true),
  float: (view, at) => view.getFloat32(at, true),
  double: (view, at) => view.getFloat64(at, true),
}
for (const name of ['langley-practice-out-lap', 'sebring-lmdh-reset', 'spielberg-gt4-no-complete-lap']) {
  test(`reads every value of every variable of the recorded file ${name}`, {
    skip: sharedIbtMissing,
  }, async () => {
    const bytes = readFileSync(sharedIbt(`real/${name}.ibt`))
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const file = await openIbt(bytesSource(bytes))
    const columns = await readColumns(file, 'all')
    assert.equal(columns.byName.size, file.variables.length)
    for (const { name, type, offset, count } of file.variables) {
      const { values } = columns.byName.get(name)!
      for (let i = 0; i < file.rows * count; i++) {
        const row = Math.floor(i / count)
        const at = file.bufOffset + row * file.bufLen + offset + (i % count) * values.BYTES_PER_ELEMENT
        if (!Object.is(values[i], getters[type](view, at))) assert.fail(`${name}[${i}] is ${values[i]}`)
      }
    }
  })
}

test('reads laps 0, 8, 0, 8 of the recorded file with a reset', { skip: sharedIbtMissing }, async () => {
  const file = await openIbt(bytesSource(readFileSync(sharedIbt('real/sebring-lmdh-reset.ibt'))))
  const { byName } = await readColumns(file, ['Lap', 'SteeringWheelTorque_ST'])
  const laps = byName.get('Lap')!.values
  assert.deepEqual(
    [...laps].filter((lap, i) => lap !== laps[i - 1]),
    [0, 8, 0, 8],
  )
  assert.equal(byName.get('SteeringWheelTorque_ST')!.values.length, 2308 * 6)
})
