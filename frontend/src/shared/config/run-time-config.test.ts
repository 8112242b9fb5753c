import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserDefaults, loadRunTimeConfig, parseRunTimeConfig } from './run-time-config.ts'

const answer =
  (body: BodyInit, status = 200) =>
  () =>
    Promise.resolve(new Response(body, { status }))

test('the deployment decides', async () => {
  const config = {
    preview: 'server',
    maps: false,
    version: '1.2.3',
    identity: { baseUrl: '', publicToken: 'public-token-test-1' },
  }
  assert.deepEqual(await loadRunTimeConfig(answer(JSON.stringify(config))), config)
})

test('a missing or broken config means the defaults of a browser that does everything itself', async () => {
  const broken: [string, typeof fetch][] = [
    ['no such file', answer('{}', 404)],
    ['a page instead of JSON', answer('<!doctype html>')],
    ['JSON that is no object', answer('null')],
    ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
  ]
  for (const [name, fetch] of broken) assert.deepEqual(await loadRunTimeConfig(fetch), browserDefaults, name)
})

test('a server that does not answer is given up after the time allowed', async () => {
  const silent: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) =>
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
    )
  // An unreferenced timer does not keep Node alive, so the test holds it open itself.
  const alive = setInterval(() => {}, 1000)
  assert.deepEqual(await loadRunTimeConfig(silent, 5), browserDefaults)
  clearInterval(alive)
})

test('a field of the wrong type takes its default and spoils no other', () => {
  assert.deepEqual(
    parseRunTimeConfig({ preview: 'moon', maps: false, version: 7, identity: { baseUrl: 1 } }),
    {
      ...browserDefaults,
      maps: false,
    },
  )
})
