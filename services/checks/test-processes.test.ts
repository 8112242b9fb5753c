import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isAlive } from '@lapwing/local/testing/is-alive'
import { hasFailed } from './test-process.ts'
import { testProcesses } from './test-processes.ts'

const printPid = `console.log(process.pid)`

test('runs files of a group in one process, and those of another group in another', async t => {
  const { run } = pool(t)
  const a = await run('group', printPid)
  const b = await run('group', printPid)
  assert.ok(Number(a.output) > 0)
  assert.equal(a.output, b.output)
  assert.notEqual((await run('other group', printPid)).output, a.output)
})

test('returns the results of each file alone', async t => {
  const { run } = pool(t)
  const names = async (code: string) => (await run('group', code)).tests.map(({ name }) => name)
  assert.deepEqual(await names(`test('first', () => {})`), ['the test', 'first'])
  assert.deepEqual(await names(`test('second', () => {})`), ['the test', 'second'])
})

test('runs two files of a group at the same time in two processes', async t => {
  const { run } = pool(t)
  const [a, b] = await Promise.all([run('group', printPid), run('group', printPid)])
  assert.notEqual(a.output, b.output)
})

test('restores variables and exit code after a file', async t => {
  const { run } = pool(t)
  const first = await run('group', `process.env.ADDED = 'x'; delete process.env.PATH; process.exitCode = 3`)
  assert.match(first.tests.at(-1)!.name, /exit code 3/)
  // A failed file ends its process, so that the second one must not fail.
  await run('group', `process.env.ADDED = 'x'; process.env.GIVEN = 'y'; delete process.env.PATH`)
  const { output } = await run(
    'group',
    `const { ADDED, GIVEN, PATH } = process.env; console.log(ADDED, GIVEN, !PATH)`,
  )
  assert.equal(output, 'undefined given false')
})

test('runs no further file in the process of a failed one', async t => {
  const { run } = pool(t)
  const failed = await run('group', `${printPid}; test('fails', () => { throw new Error('no') })`)
  assert.ok(hasFailed(failed))
  const next = await run('group', printPid)
  assert.ok(!hasFailed(next))
  assert.notEqual(next.output, failed.output)
  assert.ok(!isAlive(Number(failed.output)))
})

test('ends all idle processes', async t => {
  const { run, processes } = pool(t)
  const pids = await Promise.all([run('a', printPid), run('b', printPid)])
  await processes.end()
  for (const { output } of pids) assert.ok(!isAlive(Number(output)))
})

/** Runs files with this code and one passing test. */
function pool(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-runner-'))
  const processes = testProcesses({ rootDir: folder, signal: new AbortController().signal })
  t.after(async () => {
    await processes.end()
    rmSync(folder, { recursive: true, force: true })
  })
  let files = 0
  return {
    processes,
    run: (group: string, code: string) => {
      files++
      const file = `${files}.mjs`
      writeFileSync(
        join(folder, file),
        `import { test } from 'node:test'; test('the test', () => {}); ${code}`,
      )
      return processes.run({ group, file, timeoutMs: 30_000, env: { GIVEN: 'given' } })
    },
  }
}
