import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run } from './run.ts'
import { startCluster } from './start-cluster.ts'

const access = { env: { PATH: process.env.PATH }, signal: new AbortController().signal }

test('adds the variables that the command exports', async () => {
  const env = await startCluster(`echo 'export KUBECONFIG=/a\\ b PATH=/tools:$PATH'`, access)
  assert.equal(env.KUBECONFIG, '/a b')
  assert.equal(env.PATH, `/tools:${process.env.PATH}`)
})

test('fails with the end of the output of the command', async () => {
  await assert.rejects(startCluster('echo no room >&2; exit 3', access), /failed: no room/)
})

test('ends a command that takes too long', async () => {
  await assert.rejects(
    run(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { withinMs: 50 }),
    /not done within 0.05 s/,
  )
})

test('passes input, and returns the output', async () => {
  assert.equal(await run('cat', [], { input: 'a\nb' }), 'a\nb')
})
