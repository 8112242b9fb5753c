import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ConfigError } from '@lapwing/config'
import { loadConfig, spec } from './config.ts'

test('has defaults that serve a page built beside the gateway', () => {
  const { publicOrigin, previewUrl, frontendDir, ...config } = loadConfig({})
  assert.deepEqual(config, {
    host: '0.0.0.0',
    port: 8080,
    logLevel: 'info',
    drainMs: 25_000,
    keepServingMs: 0,
    metricsHost: '0.0.0.0',
    metricsPort: null,
    tracesUrl: null,
    sampledShare: 1,
    trustedProxies: [],
    maxConnectionsPerAddress: 512,
    accountUrl: null,
    identityUrl: null,
    identityHosted: false,
    identityPublicUrl: null,
    uploadUrl: null,
    ingestUrl: null,
    leaderboardUrl: null,
    objectStorePublicUrl: null,
    publicToken: 'public-token-live-lapwing',
    projectId: 'project-live-lapwing',
    issuer: null,
    internalKey: null,
    redisUrl: null,
    accounts: null,
    boards: null,
    pagePreview: 'browser',
    pageMaps: true,
    mapStreet: 'https://tiles.openfreemap.org/styles/liberty',
    mapStreetTileSize: 256,
    mapStreetMaxZoom: 19,
    mapStreetAttribution: null,
    mapStreetProxy: false,
    mapStreetCache: 'http',
    mapStreetDaily: 0,
    mapStreetKey: null,
    mapSatellite: null,
    mapSatelliteTileSize: 256,
    mapSatelliteMaxZoom: 19,
    mapSatelliteAttribution: null,
    mapSatelliteProxy: false,
    mapSatelliteCache: 'http',
    mapSatelliteDaily: 0,
    mapSatelliteKey: null,
    mapStreetView: null,
    map3dOrder: ['google', 'ion', 'tiles', 'terrain'],
    map3dGoogleKey: null,
    map3dGoogleLogo: null,
    map3dIonToken: null,
    map3dIonAsset: 2275207,
    map3dTiles: null,
    map3dTilesAttribution: null,
    map3dTerrain: null,
    map3dTerrainTileSize: 256,
    map3dTerrainMaxZoom: 19,
    map3dTerrainAttribution: null,
    map3dTerrainProxy: false,
    map3dTerrainCache: 'http',
    map3dTerrainDaily: 0,
    map3dTerrainKey: null,
    mapSources: {
      street: { style: 'https://tiles.openfreemap.org/styles/liberty' },
      satellite: null,
      streetView: null,
      photo: [],
    },
    tileSources: [],
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
  ['MAX_CONNECTIONS_PER_ADDRESS', '0'],
  ['MAX_CONNECTIONS_PER_ADDRESS', '10001'],
  ['PAGE_PREVIEW', 'both'],
  ['PAGE_MAPS', '1'],
  ['REDIS_URL', 'http://redis:6379'],
  ['PORT', '65536'],
] as const) {
  test(`rejects ${name}=${value} and names the variable`, () => {
    assert.throws(
      () => loadConfig({ [name]: value }),
      (error: unknown) => error instanceof ConfigError && error.problems[0]!.startsWith(name),
    )
  })
}

const accounts = {
  ACCOUNT_URL: 'http://account:8085',
  IDENTITY_URL: 'http://identity:8086',
  INTERNAL_KEY: 'k'.repeat(32),
}

test('has accounts if both services are named, with the tokens of identity by default', () => {
  const read = loadConfig({ ...accounts, PROJECT_ID: 'project-1' }).accounts!
  assert.equal(read.issuer, 'stytch.com/project-1')
  assert.equal(read.identityPublicUrl, null)
  assert.equal(read.isHosted, false)
  assert.equal(loadConfig({ ...accounts, IDENTITY_HOSTED: 'true' }).accounts!.isHosted, true)
  assert.equal(read.internalKey.byteLength, 32)
  assert.equal(loadConfig({ ...accounts, JWT_ISSUER: 'https://id' }).accounts!.issuer, 'https://id')
})

for (const [name, value] of [
  ['ACCOUNT_URL', ''],
  ['IDENTITY_URL', ''],
  ['INTERNAL_KEY', ''],
  ['INTERNAL_KEY', 'k'.repeat(31)],
] as const) {
  test(`rejects accounts of which a part is missing: ${name}=${value}`, () => {
    assert.throws(
      () => loadConfig({ ...accounts, [name]: value }),
      (error: unknown) =>
        error instanceof ConfigError && error.problems.length === 1 && error.problems[0]!.startsWith(name),
    )
  })
}

const boards = {
  ...accounts,
  UPLOAD_URL: 'http://upload:8082',
  INGEST_URL: 'http://ingest:8083',
  LEADERBOARD_URL: 'http://leaderboard:8084',
  S3_PUBLIC_ENDPOINT: 'https://files.lapwing.example',
}

test('has boards if their services, the store and accounts are named', () => {
  assert.equal(loadConfig(accounts).boards, null)
  assert.equal(loadConfig(boards).boards!.objectStorePublicUrl.origin, 'https://files.lapwing.example')
})

for (const name of ['UPLOAD_URL', 'INGEST_URL', 'LEADERBOARD_URL', 'S3_PUBLIC_ENDPOINT']) {
  test(`rejects boards without ${name}`, () => {
    assert.throws(
      () => loadConfig({ ...boards, [name]: '' }),
      (error: unknown) => error instanceof ConfigError && error.problems[0]!.startsWith(name),
    )
  })
}

test('rejects boards without accounts', () => {
  assert.throws(() => loadConfig({ ...boards, ACCOUNT_URL: '', IDENTITY_URL: '' }), ConfigError)
})

test('lists every variable in the README, and no other', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const listed = [...readme.matchAll(/^\| `([A-Z0-9_]+)`/gm)].map(([, name]) => name)
  assert.deepEqual(
    listed.sort(),
    Object.values(spec)
      .map(({ name }) => name)
      .sort(),
  )
})
