import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { runTestFile } from './run-test-file.ts'
import { runTestFiles } from './run-test-files.ts'
import { summarise } from './summarise.ts'

const passes = `test('adds', () => {})`
const failsOnce = `test('adds', () => { console.log('run', isFirstRun); assert.ok(!isFirstRun, 'too early') })`
const fails = `test('adds', () => assert.fail('always')); test('subtracts', () => {})`
const hangs = `test('adds', () => {}); hang()`

test('runs a failed file once more, alone, after all lanes have ended', async t => {
  const { steps, alone } = await run(t, {
    'a.mjs': fails,
    'b.mjs': passes,
    'c.mjs': failsOnce,
    'd.mjs': passes,
  })
  assert.deepEqual(
    steps.slice(0, 8).sort(),
    ['a', 'b', 'c', 'd'].flatMap(name => [`${name}.mjs ends`, `${name}.mjs starts`]),
  )
  const second = steps.slice(8)
  const one = ['a.mjs starts', 'a.mjs ends']
  const other = ['c.mjs starts', 'c.mjs ends']
  assert.deepEqual(second, second[0] === one[0] ? [...one, ...other] : [...other, ...one])
  assert.deepEqual(alone.sort(), ['a.mjs', 'c.mjs'])
})

test('passes a file that fails once, and reports both runs', async t => {
  const { summary } = await run(t, { 'a.mjs': failsOnce, 'b.mjs': passes })
  assert.equal(summary.failed, 0)
  assert.match(
    summary.text,
    /^flaky: a\.mjs\n {2}First run.*✖ adds.*too early.*run true.* {2}Second run.*run false.*\n2 passed, 0 failed, 0 skipped$/ms,
  )
})

test('counts a file with two failed runs once', async t => {
  const { summary } = await run(t, { 'a.mjs': fails, 'b.mjs': passes })
  assert.match(summary.text, /^FAIL a\.mjs\n {2}First run.*always.* {2}Second run.*always/ms)
  assert.match(summary.text, /\n2 passed, 1 failed, 0 skipped$/)
  assert.doesNotMatch(summary.text, /flaky/)
})

test('fails a file that always hangs', async t => {
  const { summary } = await run(t, { 'a.mjs': hangs }, { timeoutMs: 1500 })
  assert.match(summary.text, /^FAIL a\.mjs.*did not end within 1\.5 s.*, 1 failed, 0 skipped$/ms)
})

test('starts no further file and no second run after an interrupt', async t => {
  const interrupted = new AbortController()
  const { steps, summary } = await run(t, { 'a.mjs': hangs, 'b.mjs': passes }, { lanes: 1, interrupted })
  assert.deepEqual(steps, ['a.mjs starts', 'a.mjs ends'])
  assert.match(summary.text, /^FAIL a\.mjs.*SIGKILL.*1 failed, 0 skipped$/ms)
})

test('ends a second run at an interrupt', async t => {
  const interrupted = new AbortController()
  const hangsLater = `test('adds', () => assert.ok(!isFirstRun)); if (!isFirstRun) hang()`
  const { steps, summary } = await run(t, { 'a.mjs': hangsLater, 'b.mjs': fails }, { lanes: 1, interrupted })
  assert.deepEqual(steps.slice(4), ['a.mjs starts', 'a.mjs ends'])
  assert.ok(summary.failed > 0)
})

/** Runs test files with this code. Aborts `interrupted`, if it is set, as soon as a file calls `hang`. */
async function run(
  t: TestContext,
  code: Readonly<Record<string, string>>,
  options: { timeoutMs?: number; lanes?: number; interrupted?: AbortController } = {},
) {
  const { timeoutMs = 60_000, lanes = 2, interrupted = new AbortController() } = options
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-runner-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [file, text] of Object.entries(code)) {
    const marker = JSON.stringify(join(folder, `${file}.ran`))
    const hanging = JSON.stringify(join(folder, 'hanging'))
    writeFileSync(
      join(folder, file),
      `import assert from 'node:assert/strict'; import { existsSync, writeFileSync } from 'node:fs'
      import { test } from 'node:test'
      const isFirstRun = !existsSync(${marker}); writeFileSync(${marker}, '')
      const hang = () => { writeFileSync(${hanging}, ''); setInterval(() => {}, 1000) }
      ${text}`,
    )
  }
  const steps: string[] = []
  const alone: string[] = []
  const results = runTestFiles({
    queues: [Object.keys(code)],
    lanes,
    signal: interrupted.signal,
    run: async (file, isAlone) => {
      steps.push(`${file} starts`)
      if (isAlone) alone.push(file)
      const result = await runTestFile({ rootDir: folder, file, timeoutMs, signal: interrupted.signal })
      steps.push(`${file} ends`)
      return result
    },
  })
  if (options.interrupted !== undefined) {
    while (!existsSync(join(folder, 'hanging'))) await delay(10)
    interrupted.abort()
  }
  return { steps, alone, summary: summarise(await results) }
}
