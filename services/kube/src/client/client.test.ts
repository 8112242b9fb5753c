import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type LoadedLapwing, startOwnStack } from '@lapwing/load/own-stack'
import { bundleClient } from './bundle-client.ts'
import { type Client, connectClient } from './start-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'lapwing-kube-'))
let lapwing: LoadedLapwing

before(async () => {
  // The tests check what is counted, not the strength of a hash.
  Object.assign(process.env, { ARGON2_MEMORY_KIB: '64', ARGON2_PASSES: '1' })
  lapwing = await startOwnStack({ say: () => {}, signal: new AbortController().signal })
  await bundleClient(folder)
})

after(async () => {
  await lapwing?.stop()
  rmSync(folder, { recursive: true })
})

/** Starts the bundle as the pod does. */
function aClient(): Client {
  return connectClient(spawn(process.execPath, [join(folder, 'client.mjs'), lapwing.url]), 'a process')
}

test('a ConfigMap can hold the client', () => {
  const bytes = readdirSync(folder).map(file => statSync(join(folder, file)).size)
  assert.ok(bytes.reduce((sum, size) => sum + size, 0) < 1_000_000, String(bytes))
})

test('makes journeys until `end`, and another client continues with the same drivers', async () => {
  const client = aClient()
  const made = await client.call('setUp', { scenario: 'mixed' })
  assert.equal(made.drivers, 24)
  assert.equal(made.rows, made.laps)

  await client.call('begin', { scenario: 'mixed', rate: 5 })
  const figures = await client.call('end', { scenario: 'mixed' })
  assert.deepEqual(figures.failures, [])
  assert.ok(figures.journeys > 0)
  assert.ok(figures.requests >= figures.journeys)
  assert.deepEqual([figures.refused, figures.failed, figures.dropped], [0, 0, 0])
  const { rows } = await client.call('verify', { scenario: 'mixed' })
  assert.ok(rows >= made.rows)

  const boards = await client.call('readBoards')
  assert.equal(boards.rows, rows)
  const world = await client.call('world')
  await client.stop()
  await assert.rejects(client.call('readBoards'), /the client in a process is gone/)

  const next = aClient()
  await next.call('adopt', { world })
  assert.deepEqual(await next.call('renewSessions'), { sessions: 24 })
  assert.deepEqual(await next.call('readBoards'), boards)
  await assert.rejects(next.call('end', { scenario: 'mixed' }), /mixed is not loaded/)
  await assert.rejects(next.call('verify', { scenario: 'ingest' }), /nobody has set ingest up/)
  await next.stop()
})
