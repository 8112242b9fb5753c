import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { buildIbt, type IbtSection, type IbtSpec } from '@lapwing/simulator/build-ibt'
import { sharedIbt, sharedIbtMissing } from '../../testing/shared-ibt.ts'
import { bytesSource } from '../byte-source.ts'
import { countingSource } from '../testing/counting-source.ts'
import { IbtError, type IbtErrorCode } from './ibt-error.ts'
import { MAX_OPEN_BYTES, MAX_ROWS, MAX_VARIABLES } from './limits.ts'
import { openIbt } from './open-ibt.ts'

const ROWS = 10
const TEXT = '---\nWeekendInfo:\n TrackName: okayama full\n TrackID: 166\n...\n'

function spec(overrides: Partial<IbtSpec> = {}): IbtSpec {
  return {
    rows: ROWS,
    sessionText: TEXT,
    variables: [
      { name: 'SessionTime', type: 'double', unit: 's', description: 'Seconds', values: row => row / 60 },
      { name: 'Lap', type: 'int', values: row => row },
      { name: 'IsOnTrack', type: 'bool', values: () => 1 },
    ],
    ...overrides,
  }
}

const open = (bytes: Uint8Array) => openIbt(bytesSource(bytes))
const openSpec = (overrides?: Partial<IbtSpec>) => open(buildIbt(spec(overrides)))

async function codeOf(opening: Promise<unknown>): Promise<IbtErrorCode> {
  const error = await opening.then(
    () => assert.fail('the file was opened'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof IbtError, String(error))
  return error.code
}

// Written byte by byte from the SDK's description, so that reader and builder cannot share a mistake.
test('reads every field at its byte', async () => {
  const file = new Uint8Array(112 + 32 + 144 + 3 + 2 * 5)
  const view = new DataView(file.buffer)
  const ints: [at: number, value: number][] = [
    [0, 1], // ver
    [8, 60], // tickRate
    [16, 3], // sessionInfoLen
    [20, 288], // sessionInfoOffset
    [24, 1], // numVars
    [28, 144], // varHeaderOffset
    [32, 1], // numBuf
    [36, 5], // bufLen
    [52, 291], // varBuf[0].bufOffset
    [136, 7], // lapCount
    [140, 2], // recordCount
    [144, 2], // type: int
    [148, 1], // offset
    [152, 1], // count
  ]
  for (const [at, value] of ints) view.setInt32(at, value, true)
  view.setBigInt64(112, 1_432_838_859n, true)
  file.set(new TextEncoder().encode('Gear'), 160)
  file.set(new TextEncoder().encode('Which gear'), 192)
  file.set(new TextEncoder().encode('none'), 256)
  file.set(new TextEncoder().encode('---'), 288)

  const { source, session, variablesByName, ...opened } = await open(file)
  assert.deepEqual(opened, {
    version: 1,
    tickRate: 60,
    startDate: new Date('2015-05-28T18:47:39Z'),
    declaredRows: 2,
    rows: 2,
    partial: false,
    bufLen: 5,
    bufOffset: 291,
    variables: [{ name: 'Gear', type: 'int', count: 1, offset: 1, unit: 'none', description: 'Which gear' }],
    sizes: { file: 301, samples: 10, tail: 0 },
  })
  assert.equal(variablesByName.get('Gear'), opened.variables[0])
  assert.equal(session.trackId, null)
  assert.equal(source.size, 301)
})

for (const version of [1, 2]) {
  test(`reads version ${version}`, async () => {
    assert.equal((await openSpec({ version })).version, version)
  })
}

test('reads the start date as a 64-bit integer: a date after 2038 is right', async () => {
  const startDate = new Date('2041-03-04T05:06:07Z')
  assert.deepEqual((await openSpec({ startDate })).startDate, startDate)
})

test('returns null for a date that no recording can have', async () => {
  const file = buildIbt(spec())
  for (const seconds of [0n, -1n, 2n ** 62n]) {
    new DataView(file.buffer).setBigInt64(112, seconds, true)
    assert.equal((await open(file)).startDate, null)
  }
})

const orders: IbtSection[][] = [
  ['variables', 'session', 'rows'],
  ['variables', 'rows', 'session'],
  ['session', 'variables', 'rows'],
  ['session', 'rows', 'variables'],
  ['rows', 'variables', 'session'],
  ['rows', 'session', 'variables'],
]
for (const order of orders) {
  test(`finds sections by their offsets: ${order.join(', ')}`, async () => {
    for (const gapBytes of [0, 4]) {
      const file = await openSpec({ order, gapBytes })
      assert.equal(file.rows, ROWS)
      assert.equal(file.session.trackId, 166)
      assert.deepEqual([...file.variablesByName.keys()], ['SessionTime', 'Lap', 'IsOnTrack'])
    }
  })
}

const counts = [
  { why: 'a crash left 0', declaredRows: 0, cutBytes: 0, rows: ROWS, partial: true },
  { why: 'too small', declaredRows: 4, cutBytes: 0, rows: ROWS, partial: true },
  { why: 'too large', declaredRows: 4000, cutBytes: 0, rows: ROWS, partial: true },
  { why: 'negative', declaredRows: -1, cutBytes: 0, rows: ROWS, partial: true },
  { why: 'right', declaredRows: ROWS, cutBytes: 0, rows: ROWS, partial: false },
  { why: 'a row is cut', declaredRows: ROWS, cutBytes: 1, rows: ROWS - 1, partial: true },
  { why: 'a row is missing', declaredRows: ROWS, cutBytes: 13, rows: ROWS - 1, partial: true },
  {
    why: 'a row is cut and the count agrees',
    declaredRows: ROWS - 1,
    cutBytes: 12,
    rows: ROWS - 1,
    partial: true,
  },
]
for (const { why, declaredRows, cutBytes, rows, partial } of counts) {
  test(`counts rows by the size of the file: declared count ${why}`, async () => {
    const file = await openSpec({ declaredRows, cutBytes })
    assert.equal(file.rows, rows)
    assert.equal(file.partial, partial)
    assert.equal(file.declaredRows, declaredRows)
    assert.equal(file.sizes.samples, rows * 13)
    assert.equal(file.sizes.tail, (ROWS * 13 - cutBytes) % 13)
  })
}

test('reads the session text despite a wrong length', async () => {
  for (const sessionInfoLen of [0, 10, TEXT.length + 40, 2 ** 31 - 1, -5]) {
    for (const order of orders) {
      const file = await openSpec({ order, header: { sessionInfoLen } })
      assert.equal(file.rows, ROWS, `${order} ${sessionInfoLen}`)
      assert.equal(file.session.trackId, 166)
    }
  }
})

test('opens a file without facts if the session offset is invalid', async () => {
  for (const sessionInfoOffset of [-1, 0, 2 ** 31 - 1]) {
    const file = await openSpec({ header: { sessionInfoOffset } })
    assert.equal(file.rows, ROWS)
    assert.equal(file.session.trackId, null)
  }
})

test('reads all samples if the session offset points into them', async () => {
  const whole = await openSpec()
  const file = await openSpec({ header: { sessionInfoOffset: whole.bufOffset + 30 } })
  assert.equal(file.rows, ROWS)
})

test('lists both variables of one name, and finds the first', async () => {
  const variables: IbtSpec['variables'] = [
    { name: 'Speed', type: 'float', values: () => 1 },
    { name: 'Speed', type: 'int', values: () => 2 },
    { name: '', type: 'int', values: () => 3 },
  ]
  const file = await openSpec({ variables })
  assert.deepEqual(
    file.variables.map(({ name, type }) => [name, type]),
    [
      ['Speed', 'float'],
      ['Speed', 'int'],
    ],
  )
  assert.equal(file.variablesByName.get('Speed')?.type, 'float')
})

const whole = buildIbt(spec())
const badFiles: [why: string, bytes: Uint8Array, code: IbtErrorCode][] = [
  ['no bytes', new Uint8Array(0), 'ibt.empty'],
  ['one byte', new Uint8Array(1), 'ibt.not_telemetry'],
  ['a renamed zip', new TextEncoder().encode(`PK\u0003\u0004${'x'.repeat(400)}`), 'ibt.not_telemetry'],
  ['a page of text', new TextEncoder().encode('<!doctype html>'.repeat(50)), 'ibt.not_telemetry'],
  ['zeros', new Uint8Array(5000), 'ibt.not_telemetry'],
  ['version 3', buildIbt(spec({ version: 3 })), 'ibt.not_telemetry'],
  ['three row buffers', buildIbt(spec({ header: { numBuf: 3 } })), 'ibt.memory_dump'],
  [
    'session text at the offset of the sub-header',
    buildIbt(spec({ header: { sessionInfoOffset: 112 } })),
    'ibt.memory_dump',
  ],
  ['cut in the header', whole.subarray(0, 60), 'ibt.truncated'],
  ['cut in the sub-header', whole.subarray(0, 143), 'ibt.truncated'],
  ['cut in the variable headers', whole.subarray(0, 300), 'ibt.truncated'],
  ['cut in the session text', whole.subarray(0, 600), 'ibt.truncated'],
  ['cut in the first row', whole.subarray(0, whole.length - ROWS * 13 + 12), 'ibt.truncated'],
  ['no rows', buildIbt(spec({ rows: 0 })), 'ibt.truncated'],
  ['samples beyond the file', buildIbt(spec({ header: { bufOffset: 2 ** 31 - 1 } })), 'ibt.truncated'],
  [
    'variables beyond the file',
    buildIbt(spec({ header: { varHeaderOffset: 2 ** 31 - 1 } })),
    'ibt.truncated',
  ],
  ['no variables', buildIbt(spec({ variables: [], bufLen: 13 })), 'ibt.bad_header'],
  ...(
    [
      { numBuf: 0 },
      { numBuf: -1 },
      { numBuf: 5 },
      { tickRate: 0 },
      { tickRate: -60 },
      { tickRate: 2 ** 31 - 1 },
      { numVars: -1 },
      { numVars: MAX_VARIABLES + 1 },
      { numVars: 2 ** 31 - 1 },
      { bufLen: 0 },
      { bufLen: -13 },
      { bufLen: 12 },
      { bufLen: 65_537 },
      { bufLen: 2 ** 31 - 1 },
      { varHeaderOffset: -144 },
      { varHeaderOffset: 0 },
      { bufOffset: -1 },
      { bufOffset: 0 },
      { bufOffset: 150 },
    ] satisfies IbtSpec['header'][]
  ).map((header): [string, Uint8Array, IbtErrorCode] => [
    `a header with ${JSON.stringify(header)}`,
    buildIbt(spec({ header })),
    'ibt.bad_header',
  ]),
  ...(
    [
      { at: 144, value: 6, why: 'an unknown type' },
      { at: 144, value: -1, why: 'a negative type' },
      { at: 148, value: 6, why: 'an offset that leaves the row' },
      { at: 148, value: -1, why: 'a negative offset' },
      { at: 148, value: 2 ** 31 - 1, why: 'the largest offset' },
      { at: 152, value: 0, why: 'a count of 0' },
      { at: 152, value: -1, why: 'a negative count' },
      { at: 152, value: 2, why: 'a count that leaves the row' },
      { at: 152, value: 2 ** 29, why: 'a count whose size overflows' },
    ] as const
  ).map(({ at, value, why }): [string, Uint8Array, IbtErrorCode] => {
    const bytes = whole.slice()
    new DataView(bytes.buffer).setInt32(at, value, true)
    return [`a variable with ${why}`, bytes, 'ibt.bad_header']
  }),
]
for (const [why, bytes, code] of badFiles) {
  test(`refuses a file as ${code}: ${why}`, async () => {
    assert.equal(await codeOf(open(bytes)), code)
  })
}

// 4,096 arrays of 64 KiB over the same bytes would make 256 MiB of columns from each row.
test('refuses a file as ibt.bad_header: variables that overlap', async () => {
  const variables = Array.from({ length: 100 }, (_, i) => ({
    name: `V${i}`,
    type: 'char' as const,
    count: 1000,
    offset: 0,
    values: () => 0,
  }))
  assert.equal(await codeOf(openSpec({ variables, rows: 1 })), 'ibt.bad_header')
})

test('refuses a file as ibt.too_large: more rows than a day and an hour has', async () => {
  const head = buildIbt({ rows: 1, variables: [{ name: 'Lap', type: 'bool', values: () => 0 }] })
  const sized = (rows: number) => ({ ...bytesSource(head), size: head.length - 1 + rows })
  assert.equal((await openIbt(sized(MAX_ROWS))).rows, MAX_ROWS)
  assert.equal(await codeOf(openIbt(sized(MAX_ROWS + 1))), 'ibt.too_large')
})

test('reads at most MAX_OPEN_BYTES to open a file, whatever its header claims', async () => {
  const text = `---\nCameraInfo:\n${' x: y\n'.repeat(1_000_000)}`
  const bytes = buildIbt(spec({ sessionText: text, declaredRows: 2 ** 31 - 1 }))
  const source = countingSource(bytesSource(bytes))
  const file = await openIbt(source)
  assert.equal(file.rows, ROWS)
  assert.ok(source.asked.bytes <= MAX_OPEN_BYTES, `${source.asked.bytes}`)
})

// Texts and headers of the largest size that waste the most time in each way.
const MIB = 1_048_576
const repeated = (text: string) => text.repeat(Math.floor(MIB / text.length))
const slow: [why: string, overrides: Partial<IbtSpec>][] = [
  ['empty lines', { sessionText: repeated('\n') }],
  ['lines of spaces', { sessionText: `DriverInfo:\n${repeated(`${' '.repeat(1000)}\n`)}` }],
  ['one line', { sessionText: `WeekendInfo:\n TrackName: ${repeated("'")}` }],
  ['sections', { sessionText: repeated('DriverInfo:\n') }],
  ['drivers', { sessionText: `DriverInfo:\n Drivers:\n${repeated(' - CarIdx: 1\n')}` }],
  ['dashes', { sessionText: `DriverInfo:\n Drivers:\n${repeated(' - - - - - a: 1\n')}` }],
  [
    'long keys, deeply nested',
    {
      sessionText: `DriverInfo:\n${[1, 2, 3, 4].map(n => `${' '.repeat(n)}${'k'.repeat(900)}:\n`).join('')}${repeated('     a: 1\n')}`,
    },
  ],
  ['bytes that are nearly UTF-8', { sessionText: new Uint8Array(MIB).fill(0xc3) }],
  [
    'variable names without a NUL',
    {
      variables: Array.from({ length: MAX_VARIABLES }, (_, i) => ({
        name: `${i}`.padEnd(31, 'x'),
        description: 'x'.repeat(63),
        unit: 'x'.repeat(31),
        type: 'char' as const,
        values: () => 0,
      })),
    },
  ],
]
for (const [why, overrides] of slow) {
  test(`opens in less than a second of processor time: ${why}`, async () => {
    const bytes = buildIbt(spec(overrides))
    // The last character of every text of a variable header, where a NUL should be.
    for (let at = 144; at < 144 + MAX_VARIABLES * 144 && overrides.variables; at += 144) {
      for (const last of [47, 111, 143]) bytes[at + last] = 0x78
    }
    const start = process.cpuUsage()
    await open(bytes)
    const { user, system } = process.cpuUsage(start)
    assert.ok(user + system < 1e6, `${user + system} µs`)
  })
}

test('reads from a source that returns fewer bytes than asked for, and later', async () => {
  const source = bytesSource(buildIbt(spec()))
  const slow = {
    size: source.size,
    read: async (offset: number, target: Uint8Array) => source.read(offset, target.subarray(0, 7)),
  }
  assert.equal((await openIbt(slow)).session.trackName, 'okayama full')
})

test('passes on errors of the source unchanged', async () => {
  const broken = new Error('the disk is gone')
  const source = { size: 1000, read: () => Promise.reject(broken) }
  await assert.rejects(openIbt(source), error => error === broken)
})

const real: [name: string, version: number, variables: number, rows: number, userId: number][] = [
  ['real/langley-2-laps.ibt', 1, 143, 3578, 100001],
  ['real/langley-1-lap.ibt', 1, 143, 2718, 100001],
  ['real/langley-practice-out-lap.ibt', 1, 150, 4020, 100014],
  ['real/martinsville-practice-2-laps.ibt', 1, 143, 4954, 100009],
  ['real/sebring-lmdh-reset.ibt', 2, 299, 2308, 100001],
  ['real/spielberg-gt4-no-complete-lap.ibt', 2, 267, 3371, 100001],
  ['real/spielberg-w13-6-seconds.ibt', 2, 276, 390, 100001],
  ['laps/summit-jefferson-4-laps.ibt', 2, 34, 13_018, 100011],
  ['laps/summit-jefferson-second-driver.ibt', 2, 34, 9919, 100012],
  ['laps/lime-rock-2-laps.ibt', 2, 34, 7576, 100011],
  ['laps/winton-3-laps.ibt', 2, 34, 16_618, 100013],
  ['laps/rudskogen-1-lap.ibt', 2, 34, 6662, 100011],
]
for (const [name, version, variables, rows, userId] of real) {
  test(`opens the recorded file ${name}`, { skip: sharedIbtMissing }, async () => {
    const file = await open(readFileSync(sharedIbt(name)))
    assert.equal(file.version, version)
    assert.equal(file.variables.length, variables)
    assert.equal(file.rows, rows)
    assert.equal(file.partial, false)
    assert.equal(file.tickRate, 60)
    assert.equal(file.session.userId, userId)
  })
}

const broken: [name: string, code: IbtErrorCode][] = [
  ['broken/empty.ibt', 'ibt.empty'],
  ['broken/not-telemetry.ibt', 'ibt.not_telemetry'],
  ['broken/twelve-byte-records.ibt', 'ibt.not_telemetry'],
  ['broken/memory-dump.ibt', 'ibt.memory_dump'],
  ['broken/cut-in-variable-headers.ibt', 'ibt.truncated'],
]
for (const [name, code] of broken) {
  test(`refuses the recorded file ${name} as ${code}`, { skip: sharedIbtMissing }, async () => {
    assert.equal(await codeOf(open(readFileSync(sharedIbt(name)))), code)
  })
}

test('reads the 128 whole rows of the recorded file broken/cut-in-records.ibt', {
  skip: sharedIbtMissing,
}, async () => {
  const file = await open(readFileSync(sharedIbt('broken/cut-in-records.ibt')))
  assert.equal(file.rows, 128)
  assert.equal(file.partial, true)
  assert.equal(file.declaredRows, 2718)
})
