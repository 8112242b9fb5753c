import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ConfigError } from '@lapwing/config'
import { loadConfig, spec } from './config.ts'

test('everything has a default that serves a page built beside the gateway', () => {
  const { publicOrigin, previewUrl, frontendDir, ...config } = loadConfig({})
  assert.deepEqual(config, {
    host: '0.0.0.0',
    port: 8080,
    logLevel: 'info',
    drainMs: 25_000,
    trustedProxies: [],
    accountUrl: null,
    identityUrl: null,
    identityPublicUrl: null,
    publicToken: 'public-token-live-lapwing',
    pagePreview: 'browser',
    pageMaps: false,
    version: 'development',
  })
  assert.equal(publicOrigin.origin, 'http://localhost:8080')
  assert.equal(previewUrl.origin, 'http://127.0.0.1:8081')
  assert.match(frontendDir, /frontend[/\\]dist$/)
})

for (const [name, value] of [
  ['PREVIEW_URL', 'preview:8081'],
  ['PUBLIC_ORIGIN', 'ftp://lapwing.example'],
  ['TRUSTED_PROXIES', 'everyone'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['PAGE_PREVIEW', 'both'],
  ['PAGE_MAPS', '1'],
  ['PORT', '65536'],
] as const) {
  test(`${name}=${value} is refused by its name`, () => {
    assert.throws(
      () => loadConfig({ [name]: value }),
      (error: unknown) => error instanceof ConfigError && error.problems[0]!.startsWith(name),
    )
  })
}

test('the README lists every variable and no other', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const listed = [...readme.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name)
  assert.deepEqual(
    listed.sort(),
    Object.values(spec)
      .map(({ name }) => name)
      .sort(),
  )
})
