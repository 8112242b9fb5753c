import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { buildIbt } from '@lapwing/simulator/build-ibt'
import {
  bytesSource,
  type Column,
  IbtError,
  type Lap,
  lapTimeMs,
  openIbt,
  type Preview,
  previewSession,
  readColumns,
  readIbtHeader,
} from '@lapwing/telemetry'
import { decodePreview } from '@lapwing/telemetry/wire'
import { sharedIbt, sharedIbtFiles, sharedIbtMissing } from '@lapwing/testing/shared-ibt.ts'
import fc from 'fast-check'
import { judgeFile, Refusal } from '../ingest/src/judging/judge-file.ts'
import { aFile } from '../ingest/src/test/a-file.ts'
import { post, startPreview } from '../preview/src/test/harness.ts'
import { simulatedFile } from './testing/simulated-file.ts'

const service = await startPreview({ after })

/** What page, preview and boards must agree on for a lap. */
interface Verdict {
  readonly lap: number
  readonly isCompleted: boolean
  readonly isClean: boolean
  readonly reasons: readonly string[]
  readonly timeMs: number | null
  readonly timeSource: string | null
}

/** All laps of a file and the index of the best, or that the file cannot be read. */
type Answer = { readonly laps: readonly Verdict[]; readonly best: number } | 'unreadable'

const ofLap = (lap: Lap): Verdict => ({
  lap: lap.lap,
  isCompleted: lap.is_completed,
  isClean: lap.is_clean,
  reasons: lap.reasons,
  timeMs: lap.time_s === null ? null : lapTimeMs(lap.time_s),
  timeSource: lap.time_source,
})

function answerOf(laps: readonly Verdict[], counts: (index: number) => boolean): Answer {
  const ranked = laps.flatMap((lap, index) => (counts(index) && lap.timeMs !== null ? [index] : []))
  const best = ranked.toSorted((a, b) => laps[a]!.timeMs! - laps[b]!.timeMs! || a - b)[0] ?? -1
  return { laps, best }
}

const ofPreview = ({ laps }: Pick<Preview, 'laps'>): Answer =>
  answerOf(laps.map(ofLap), index => laps[index]!.is_completed)

/** Reads the file with the library itself, like the page does in a worker. */
async function onThePage(bytes: Uint8Array): Promise<Answer> {
  try {
    return ofPreview(await previewSession(bytesSource(bytes)))
  } catch (error) {
    assert.ok(error instanceof IbtError, String(error))
    return 'unreadable'
  }
}

async function inThePreview(bytes: Uint8Array, accept: 'application/x-protobuf' | 'application/json') {
  const file = [{ name: 'file', fileName: 'session.ibt', content: bytes }]
  const { statusCode, bytes: body } = await post(service, file, { headers: { accept } })
  if (statusCode !== 200) {
    assert.equal(statusCode, 422)
    return 'unreadable'
  }
  return ofPreview(
    accept === 'application/json' ? (JSON.parse(body.toString()) as Preview) : decodePreview(body),
  )
}

async function byIngest(bytes: Uint8Array): Promise<Answer> {
  const sha256 = createHash('sha256').update(bytes).digest()
  try {
    const { laps } = await judgeFile(bytesSource(bytes), { sha256, userId: 'driver' })
    assert.equal(new Set(laps.map(({ id }) => id)).size, laps.length, 'two laps have one id')
    return answerOf(
      laps.map(({ lapNo: lap, isCompleted, isClean, reasons, timeMs, timeSource }) => ({
        lap,
        isCompleted,
        isClean,
        reasons,
        timeMs,
        timeSource,
      })),
      index => laps[index]!.counts,
    )
  } catch (error) {
    assert.ok(error instanceof Refusal && error.code === 'ingest.unreadable', String(error))
    return 'unreadable'
  }
}

/** Asserts that all answers are equal, and returns them. */
async function oneAnswer(bytes: Uint8Array, what = ''): Promise<Answer> {
  const page = await onThePage(bytes)
  assert.deepEqual(await inThePreview(bytes, 'application/x-protobuf'), page, `${what}: the packed preview`)
  assert.deepEqual(await inThePreview(bytes, 'application/json'), page, `${what}: the JSON preview`)
  assert.deepEqual(await byIngest(bytes), page, `${what}: ingest`)
  return page
}

for (const { name, bytes } of sharedIbtFiles()) {
  test(`judges every lap of ${name} equally in page, preview and ingest`, async () => {
    assert.notEqual(await oneAnswer(bytes, name), 'unreadable')
  })
}

/** A change that a recording can suffer, or that a person can make to it. */
interface Change {
  readonly kind:
    | 'cut'
    | 'drop rows'
    | 'no score'
    | 'zero score'
    | 'late score'
    | 'join'
    | 'tick rate'
    | 'blank'
  /** The place in the file and the length from there, as shares of the file. */
  readonly at: number
  readonly span: number
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom(
    ...(['cut', 'drop rows', 'no score', 'zero score', 'late score', 'join', 'tick rate', 'blank'] as const),
  ),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  span: fc.double({ min: 0, max: 0.3, noNaN: true }),
})

/** Columns of a file that can be changed, and its other content. */
interface Recording {
  readonly columns: readonly Column[]
  readonly rows: number
  readonly tickRate: number
  readonly text: Uint8Array
}

async function read(bytes: Uint8Array): Promise<Recording> {
  const file = await openIbt(bytesSource(bytes))
  const { byName, rows } = await readColumns(file, 'all')
  const { sessionInfoOffset: start } = readIbtHeader(bytes.subarray(0, 144), bytes.byteLength)
  const end = [file.bufOffset, bytes.byteLength].find(offset => offset > start)!
  const columns = [...byName.values()].filter(({ count }) => count === 1)
  return { columns, rows, tickRate: file.tickRate, text: bytes.subarray(start, end) }
}

const write = ({ columns, rows, tickRate, text }: Recording): Uint8Array =>
  buildIbt({
    rows,
    tickRate,
    sessionText: text,
    variables: columns.map(({ name, type, values }) => ({ name, type, values })),
  })

function pick(recording: Recording, rows: readonly number[]): Recording {
  const columns = recording.columns.map(column => {
    const values = column.values.slice(0, rows.length)
    rows.forEach((row, i) => {
      values[i] = column.values[row]!
    })
    return { ...column, values }
  })
  return { ...recording, columns, rows: rows.length }
}

/** Applies the change. The rows keep their order; some can be missing. */
function apply(recording: Recording, { kind, at, span }: Change): Recording {
  const { rows } = recording
  const from = Math.floor(at * (rows - 1))
  const end = Math.min(rows, from + 1 + Math.floor(span * rows))
  const all = Array.from({ length: rows }, (_, row) => row)
  const copy = pick(recording, all)
  const values = (name: string) => copy.columns.find(column => column.name === name)!.values
  switch (kind) {
    case 'cut':
      return pick(recording, all.slice(0, Math.max(60, from)))
    case 'drop rows':
      return pick(recording, [...all.slice(0, from), ...all.slice(Math.min(end, from + 30))])
    case 'no score':
      values('LapLastLapTime').fill(values('LapLastLapTime')[from]!, from, end)
      return copy
    case 'zero score':
      values('LapLastLapTime').fill(span < 0.15 ? 0 : -1, from)
      return copy
    case 'late score': {
      const scores = values('LapLastLapTime')
      scores.copyWithin(from + Math.floor(span * 400), from)
      return copy
    }
    case 'join':
      values('SessionNum').fill(1 + Math.floor(10 * span), from)
      return copy
    case 'tick rate':
      return { ...copy, tickRate: [20, 30, 61, 120, 360][Math.floor(at * 4.99)]! }
    case 'blank':
      for (const name of ['Lat', 'Lon']) values(name).fill(span < 0.15 ? 0 : values(name)[from]!, from, end)
      return copy
  }
}

async function checkChanged(bytes: Uint8Array, numRuns: number): Promise<void> {
  const recording = await read(bytes)
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async changes => {
      await oneAnswer(write(changes.reduce(apply, recording)))
    }),
    { numRuns },
  )
}

test('judges every lap of generated files equally in page, preview and ingest after any change', () =>
  checkChanged(aFile({ lapTimesS: [12, 11.5, 12.2, 11.9], lengthM: 500 }), 40))

test('judges every lap of simulated files equally in page, preview and ingest after any change', () =>
  checkChanged(simulatedFile(), 8))

test('judges every lap of recorded files equally in page, preview and ingest after any change', {
  skip: sharedIbtMissing,
}, async () => {
  for (const name of ['laps/summit-jefferson-4-laps.ibt', 'real/langley-2-laps.ibt']) {
    await checkChanged(readFileSync(sharedIbt(name)), 4)
  }
})

/** Inputs from public reports about other tools, with their right answers. */
let cases = ''

before(() => {
  if (sharedIbtMissing !== false) return
  cases = mkdtempSync(join(tmpdir(), 'lapwing-cases-'))
  execFileSync('python3', [sharedIbt('cases/build.py'), cases], { timeout: 120_000 })
})

after(() => {
  if (cases !== '') rmSync(cases, { recursive: true, force: true })
})

/** Times (ms) and reasons of the complete laps; the best of them, null if there is none. */
interface RightAnswer {
  readonly laps: readonly (readonly [timeMs: number, reasons: string])[]
  readonly best: number | null
}

const timesMs = [51_438, 51_403, 51_290, 51_088]
const withReason = (reason: string, times = timesMs) => times.map(timeMs => [timeMs, reason] as const)

const rightAnswers: Readonly<Record<string, RightAnswer>> = {
  'no-answer-for-best': {
    laps: [...withReason('').slice(0, 3), [51_088, 'NOT_SCORED']],
    best: 51_290,
  },
  // Not official: like in the recording.
  'answers-all-zero': { laps: withReason('NOT_SCORED', [51_439, 51_405, 51_290, 51_088]), best: null },
  'finish-before-start': { laps: withReason('', [50_683, 50_658, 50_556, 50_351]), best: 50_351 },
  'position-zero-everywhere': { laps: withReason('UNVERIFIABLE'), best: 51_088 },
  'position-zero-in-one-row': { laps: withReason(''), best: 51_088 },
  'practice-and-heat': { laps: withReason(''), best: 51_088 },
  'joker-lap-120-m-longer': {
    laps: withReason('').map((lap, i) => (i === 2 ? [54_607, 'JOKER'] : lap)),
    best: 51_088,
  },
  'two-percent-too-fast': { laps: withReason('IMPLAUSIBLE', [56_316, 54_554]), best: null },
  'twice-the-speed-of-the-car': { laps: withReason('IMPLAUSIBLE', [22_089, 21_412]), best: null },
}

test('knows the right answer to each reported input', { skip: sharedIbtMissing }, () => {
  const names = Object.keys(rightAnswers).map(name => `${name}.ibt`)
  assert.deepEqual(names.sort(), readdirSync(cases).sort())
})

for (const [name, { laps, best }] of Object.entries(rightAnswers)) {
  test(`returns the right answer to ${name} in page, preview and ingest`, {
    skip: sharedIbtMissing,
  }, async () => {
    const bytes = readFileSync(join(cases, `${name}.ibt`))
    const answer = await oneAnswer(bytes, name)
    assert.ok(answer !== 'unreadable')
    const whole = answer.laps.filter(
      ({ reasons }) => !reasons.includes('NO_OPEN') && !reasons.includes('NO_CLOSE'),
    )
    assert.deepEqual(
      whole.map(({ timeMs, reasons }) => [timeMs, reasons.join(' ')]),
      laps,
    )
    assert.equal(answer.laps[answer.best]?.timeMs ?? null, best)
  })
}

test('gives laps of two sessions the same number and each the name of its session', {
  skip: sharedIbtMissing,
}, async () => {
  const bytes = readFileSync(join(cases, 'practice-and-heat.ibt'))
  const { laps } = await previewSession(bytesSource(bytes))
  const names = laps.filter(lap => lap.is_completed).map(lap => [lap.session_num, lap.session_name, lap.lap])
  assert.deepEqual(names, [
    [0, 'Practice', 2],
    [0, 'Practice', 3],
    [2, 'Heat 1', 2],
    [2, 'Heat 1', 3],
  ])
})
