import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { isAlive } from '@lapwing/local/testing/is-alive'
import { runTestFile } from './run-test-file.ts'
import { summarise } from './summarise.ts'

const imports = `import assert from 'node:assert/strict'; import { describe, test } from 'node:test';`

test('returns passed, failed and skipped tests, with errors and reasons, and no suites', async t => {
  const result = await run(
    t,
    `${imports}
    test('adds', () => assert.equal(1 + 1, 2))
    describe('a suite', () => { test('subtracts', () => assert.equal(2 - 1, 3)) })
    test('waits', { skip: 'skipped: no shared files' }, () => {})
    test('some day', { todo: true }, () => {})`,
  )
  assert.deepEqual(
    result.tests.map(({ name, outcome }) => [name, outcome]),
    [
      ['adds', 'passed'],
      ['a suite › subtracts', 'failed'],
      ['waits', 'skipped'],
      ['some day', 'skipped'],
    ],
  )
  assert.match(result.tests[1]!.error, /1 !== 3/)
  assert.match(
    summarise([result]).text,
    /1 skipped: no shared files\n[\s\S]*\n1 passed, 1 failed, 2 skipped$/,
  )
})

for (const [flaw, code, problem, timeoutMs] of [
  ['fails before its first test', `${imports} test('fine', () => {}); process.exit(4)`, /exit code 4/],
  ['cannot be loaded', `import './nowhere.mjs'`, /cannot be loaded/],
  [
    'throws outside of its tests',
    `${imports} test('fine', () => {}); setImmediate(() => { throw new Error('late') })`,
    /./,
  ],
  [
    'never ends',
    `${imports} test('fine', () => {}); setInterval(() => {}, 1000)`,
    /did not end within 1.5 s/,
    1500,
  ],
  ['blocks for ever', `for (;;);`, /did not end within 1.5 s/, 1500],
  ['holds no test', `export {}`, /holds no test/],
] as const) {
  test(`counts a file that ${flaw} as failed`, async t => {
    const { tests } = await run(t, code, timeoutMs)
    const failed = tests.filter(({ outcome }) => outcome === 'failed')
    assert.equal(failed.length, 1, JSON.stringify(tests))
    assert.match(failed[0]!.name, problem)
  })
}

test('ends the processes that a file started', async t => {
  const folder = temporary(t)
  const pidFile = join(folder, 'pid')
  await run(
    t,
    `${imports} import { spawn } from 'node:child_process'; import { writeFileSync } from 'node:fs'
    test('starts a process', () => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
      child.unref()
      writeFileSync(${JSON.stringify(pidFile)}, String(child.pid))
    })`,
  )
  const pid = Number(readFileSync(pidFile, 'utf8'))
  assert.ok(pid > 0)
  // The process ends shortly after the signal.
  while (isAlive(pid)) await delay(10)
})

test('prints the counts on the last line, and reports a run without a test', () => {
  assert.equal(summarise([]).text, '\nNo test ran.\n\n0 passed, 0 failed, 0 skipped')
})

function run(t: TestContext, code: string, timeoutMs = 60_000) {
  const folder = temporary(t)
  writeFileSync(join(folder, 'a.mjs'), code)
  return runTestFile({ rootDir: folder, file: 'a.mjs', timeoutMs })
}

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-runner-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
