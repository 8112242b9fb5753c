import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { freePorts } from '@lapwing/dev-servers/free-port'
import { portProblem } from './port-problem.ts'

test('returns null for a free port', async () => {
  const [port] = await freePorts(1)
  assert.equal(await portProblem(port!, '127.0.0.1'), null)
})

test('describes a port in use in a sentence that offers another', async t => {
  const [port] = await freePorts(1)
  await listen(t, port!, '127.0.0.1')
  const problem = await portProblem(port!, '127.0.0.1')
  assert.equal(
    problem,
    `Port ${port} is taken by another program. Stop it, or choose another port: make run PORT=${port! + 1}`,
  )
})

test('detects a program on the IPv6 side of localhost', async t => {
  const [port] = await freePorts(1)
  try {
    await listen(t, port!, '::1')
  } catch {
    return t.skip('skipped: this machine has no IPv6')
  }
  assert.match((await portProblem(port!, '127.0.0.1')) ?? '', /is taken by another program/)
})

test('describes an address that this machine does not have in a sentence', async () => {
  const [port] = await freePorts(1)
  assert.match(
    (await portProblem(port!, '192.0.2.1')) ?? '',
    /^Lapwing cannot listen on port \d+ of 192\.0\.2\.1/,
  )
})

function listen(t: TestContext, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, host, resolve)
    t.after(() => server.close())
  })
}
