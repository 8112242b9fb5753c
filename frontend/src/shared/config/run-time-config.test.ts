import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  browserDefaults,
  identityConfig,
  loadRunTimeConfig,
  parseRunTimeConfig,
  type RunTimeConfig,
} from './run-time-config.ts'

const silent: RunTimeConfig = { ...browserDefaults, identity: 'unknown' }

const answer =
  (body: BodyInit, status = 200) =>
  () =>
    Promise.resolve(new Response(body, { status }))

test('follows the deployment’s settings', async () => {
  const config = {
    preview: 'server',
    maps: true,
    mapSources: {
      street: { style: 'https://tiles.example/style.json' },
      satellite: {
        tiles: 'https://sat.example/{z}/{x}/{y}',
        tileSize: 512,
        maxZoom: 20,
        attribution: '© Example',
      },
      streetView: 'https://maps.example/?at={lat},{lon}',
      photo: [
        { kind: 'google', key: 'google-key', logo: 'https://lapwing.example/google-maps.svg' },
        { kind: 'ion', token: 'ion-token', assetId: 2275207 },
        { kind: 'tiles', url: 'https://tiles3d.example/tileset.json', attribution: '© Example' },
        {
          kind: 'terrain',
          terrain: {
            tiles: 'https://t.example/{z}/{x}/{y}',
            tileSize: 256,
            maxZoom: 13,
            attribution: '© Example',
          },
        },
      ],
    },
    version: '1.2.3',
    identity: { baseUrl: '', publicToken: 'public-token-test-1' },
  }
  assert.deepEqual(await loadRunTimeConfig(answer(JSON.stringify(config))), config)
})

test('uses the browser’s defaults for a missing or broken config', async () => {
  const broken: [string, typeof fetch][] = [
    ['no such file', answer('{}', 404)],
    ['a page instead of JSON', answer('<!doctype html>')],
    ['JSON that is no object', answer('null')],
  ]
  for (const [name, fetch] of broken) assert.deepEqual(await loadRunTimeConfig(fetch), browserDefaults, name)
})

test('uses the same defaults if the gateway does not answer, but does not know whether there are accounts', async () => {
  const away: [string, typeof fetch][] = [
    ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a gateway that starts', answer('{}', 503)],
  ]
  for (const [name, fetch] of away) assert.deepEqual(await loadRunTimeConfig(fetch), silent, name)
})

test('does not read an answer to its end that is far too long', async () => {
  const long = JSON.stringify({ version: 'x'.repeat(300_000) })
  assert.deepEqual(await loadRunTimeConfig(answer(long)), silent)
})

test('gives up on a silent server after the time limit', async () => {
  const never: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) =>
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
    )
  // An unreferenced timer does not keep Node running, so the test does.
  const alive = setInterval(() => {}, 1000)
  assert.deepEqual(await loadRunTimeConfig(never, 5), silent)
  clearInterval(alive)
})

test('asks again if accounts were unknown, once for all callers, until the gateway answers', async () => {
  const identity = { baseUrl: '', publicToken: 'public-token-test-1' }
  const answers = [silent, { ...browserDefaults, identity }]
  let asked = 0
  const get = identityConfig(Promise.resolve(silent), async () => answers[asked++]!)
  for (const result of await Promise.allSettled([get(), get()])) assert.equal(result.status, 'rejected')
  assert.equal(asked, 1)
  assert.deepEqual(await Promise.all([get(), get()]), [identity, identity])
  assert.deepEqual(await get(), identity)
  assert.equal(asked, 2)
})

test('does not ask again if the deployment has no accounts', async () => {
  const get = identityConfig(Promise.resolve(browserDefaults), () => assert.fail('It was asked again.'))
  assert.equal(await get(), null)
})

test('uses the default of a field with the wrong type, and keeps the others', () => {
  assert.deepEqual(
    parseRunTimeConfig({ preview: 'moon', maps: false, version: 7, identity: { baseUrl: 1 } }),
    {
      ...browserDefaults,
      maps: false,
    },
  )
})

test('finds tiles that pass through the gateway on the page’s own origin', t => {
  const { location } = globalThis
  t.after(() => Object.assign(globalThis, { location }))
  Object.assign(globalThis, { location: new URL('https://lapwing.example/some/page') })
  const raster = {
    tiles: '/tiles/satellite/{z}/{x}/{y}',
    tileSize: 256,
    maxZoom: 19,
    attribution: '© Example',
  }
  const { mapSources } = parseRunTimeConfig({ mapSources: { satellite: raster } })
  assert.equal(mapSources.satellite?.tiles, 'https://lapwing.example/tiles/satellite/{z}/{x}/{y}')
})

const raster = {
  tiles: 'https://tile.example/{z}/{x}/{y}',
  tileSize: 256,
  maxZoom: 19,
  attribution: '© Example',
}

test('uses at most four sources of the 3D view, and no logo whose address it cannot use', () => {
  const google = { kind: 'google', key: 'k', logo: 'javascript:alert(1)' }
  const { photo } = parseRunTimeConfig({ mapSources: { photo: Array(9).fill(google) } }).mapSources
  assert.deepEqual(photo, Array(4).fill({ kind: 'google', key: 'k' }))
})

test('has no source for each one that it cannot read', () => {
  const style = { style: 'https://tiles.example/style.json' }
  for (const [mapSources, street] of [
    [undefined, null],
    ['https://tiles.example', null],
    [{ street: style, satellite: { tiles: 7 }, streetView: 7 }, style],
    [{ street: { tiles: 'https://tile.example/{z}/{x}/{y}' } }, null],
    [{ street: { style: 'javascript:alert(1)' }, streetView: 'javascript:alert({lat})' }, null],
    [{ street: { style: '/style.json' }, streetView: `https://${'x'.repeat(5000)}.example` }, null],
    [{ street: { style: 'https://' }, satellite: { ...raster, tiles: 'data:image/png,{z}{x}{y}' } }, null],
    [{ street: { ...raster, tiles: 'https://tile.example/no-place' } }, null],
    [{ street: { ...raster, maxZoom: 1e9 }, satellite: { ...raster, tileSize: 0 } }, null],
    [{ street: { ...raster, tileSize: Number.NaN }, satellite: { ...raster, maxZoom: -1 } }, null],
    [{ photo: [{ kind: 'tiles', url: 'file:///etc/passwd', attribution: '©' }] }, null],
    [
      {
        photo: [
          { kind: 'ion', token: 'a', assetId: -1 },
          { kind: 'google', key: '' },
        ],
      },
      null,
    ],
    [{ photo: Array(100_000).fill({ kind: 'google' }) }, null],
    [{ photo: 'google' }, null],
    [
      { photo: [{ kind: 'bing', key: 'abc' }, { kind: 'google' }, { kind: 'terrain', terrain: 7 }, null] },
      null,
    ],
  ] as const) {
    const parsed = parseRunTimeConfig({ mapSources })
    assert.deepEqual(parsed.mapSources, { street, satellite: null, streetView: null, photo: [] })
  }
})
