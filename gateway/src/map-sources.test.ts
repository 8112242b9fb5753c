import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '@lapwing/config'
import { loadConfig } from './config.ts'
import { mapOrigins } from './map-sources.ts'

const satellite = {
  MAP_SATELLITE: 'https://sat.example/{z}/{y}/{x}?key=abc',
  MAP_SATELLITE_ATTRIBUTION: '© Example',
}

test('has the street map of OpenFreeMap and no satellite pictures by default', () => {
  const { mapSources } = loadConfig({})
  assert.deepEqual(mapSources, {
    street: { style: 'https://tiles.openfreemap.org/styles/liberty' },
    satellite: null,
    streetView: null,
    photo: [],
  })
  assert.deepEqual(mapOrigins(mapSources), ['https://tiles.openfreemap.org'])
})

test('has the sources that the operator names', () => {
  const { mapSources } = loadConfig({
    ...satellite,
    MAP_SATELLITE_TILE_SIZE: '512',
    MAP_SATELLITE_MAX_ZOOM: '21',
    MAP_STREET: 'https://tile.example/{z}/{x}/{y}.png',
    MAP_STREET_ATTRIBUTION: '© OpenStreetMap contributors',
    MAP_STREET_VIEW: 'https://maps.example/?at={lat},{lon}',
  })
  assert.deepEqual(mapSources, {
    street: {
      tiles: 'https://tile.example/{z}/{x}/{y}.png',
      tileSize: 256,
      maxZoom: 19,
      attribution: '© OpenStreetMap contributors',
    },
    satellite: {
      tiles: 'https://sat.example/{z}/{y}/{x}?key=abc',
      tileSize: 512,
      maxZoom: 21,
      attribution: '© Example',
    },
    streetView: 'https://maps.example/?at={lat},{lon}',
    photo: [],
  })
  assert.deepEqual(mapOrigins(mapSources), ['https://tile.example', 'https://sat.example'])
})

test('has no sources without maps, and no street map if there is to be none', () => {
  const none = { street: null, satellite: null, streetView: null, photo: [] }
  assert.deepEqual(loadConfig({ ...satellite, PAGE_MAPS: 'false' }).mapSources, none)
  assert.deepEqual(loadConfig({ MAP_STREET: 'none' }).mapSources, none)
  assert.deepEqual(mapOrigins(none), [])
})

const threeD = {
  MAP_3D_GOOGLE_KEY: 'google-key',
  MAP_3D_ION_TOKEN: 'ion-token',
  MAP_3D_TILES: 'https://tiles3d.example/tileset.json',
  MAP_3D_TILES_ATTRIBUTION: '© Example Survey',
  MAP_3D_TERRAIN: 'https://terrain.example/{z}/{x}/{y}.png',
  MAP_3D_TERRAIN_ATTRIBUTION: '© Example Heights',
}

test('has the sources of the 3D view in their order, and lets the page fetch from them', () => {
  const { mapSources } = loadConfig({ ...satellite, ...threeD, MAP_STREET: 'none' })
  assert.deepEqual(mapSources.photo, [
    { kind: 'google', key: 'google-key' },
    { kind: 'ion', token: 'ion-token', assetId: 2275207 },
    { kind: 'tiles', url: 'https://tiles3d.example/tileset.json', attribution: '© Example Survey' },
    {
      kind: 'terrain',
      terrain: {
        tiles: 'https://terrain.example/{z}/{x}/{y}.png',
        tileSize: 256,
        maxZoom: 19,
        attribution: '© Example Heights',
      },
    },
  ])
  assert.deepEqual(mapOrigins(mapSources), [
    'https://sat.example',
    'https://tile.googleapis.com',
    'https://api.cesium.com',
    'https://assets.ion.cesium.com',
    'https://tiles3d.example',
    'https://terrain.example',
  ])
})

test('tries the sources of the 3D view in the order of the operator, without those that it does not name', () => {
  const { mapSources } = loadConfig({ ...satellite, ...threeD, MAP_3D_ORDER: 'tiles, google' })
  assert.deepEqual(
    mapSources.photo.map(({ kind }) => kind),
    ['tiles', 'google'],
  )
})

test('rejects heights without pictures', () => {
  const { MAP_3D_TERRAIN, MAP_3D_TERRAIN_ATTRIBUTION } = threeD
  assert.throws(() => loadConfig({ MAP_3D_TERRAIN, MAP_3D_TERRAIN_ATTRIBUTION }), /needs .* MAP_SATELLITE/)
})

const proxied = {
  MAP_STREET: 'https://tile.example/{z}/{x}/{y}.png',
  MAP_STREET_ATTRIBUTION: '© OpenStreetMap contributors',
  MAP_STREET_PROXY: 'true',
  MAP_STREET_CACHE: 'none',
  MAP_SATELLITE: 'https://sat.example/{z}/{y}/{x}?key={key}',
  MAP_SATELLITE_ATTRIBUTION: '© Example',
  MAP_SATELLITE_PROXY: 'true',
  MAP_SATELLITE_KEY: 'a&b',
  MAP_SATELLITE_DAILY: '5000',
  MAP_3D_TERRAIN: threeD.MAP_3D_TERRAIN,
  MAP_3D_TERRAIN_ATTRIBUTION: threeD.MAP_3D_TERRAIN_ATTRIBUTION,
  MAP_3D_TERRAIN_PROXY: 'true',
}

test('sends the page to the gateway for tiles that pass through it, and allows no origin for them', () => {
  const { mapSources, tileSources } = loadConfig(proxied)
  const { street, satellite, photo } = mapSources
  assert.ok(street && 'tiles' in street && satellite && photo[0]?.kind === 'terrain')
  assert.deepEqual(
    [street.tiles, satellite.tiles, photo[0].terrain.tiles],
    ['/tiles/street/{z}/{x}/{y}', '/tiles/satellite/{z}/{x}/{y}', '/tiles/terrain/{z}/{x}/{y}'],
  )
  assert.deepEqual(mapOrigins(mapSources), [])
  assert.deepEqual(tileSources, [
    { name: 'street', address: proxied.MAP_STREET, maxZoom: 19, cache: 'none', daily: 0 },
    {
      name: 'satellite',
      address: 'https://sat.example/{z}/{y}/{x}?key=a%26b',
      maxZoom: 19,
      cache: 'http',
      daily: 5000,
    },
    { name: 'terrain', address: threeD.MAP_3D_TERRAIN, maxZoom: 19, cache: 'http', daily: 0 },
  ])
})

test('fetches no tiles for the page without maps, nor heights that the 3D view does not use', () => {
  assert.deepEqual(loadConfig({ ...proxied, PAGE_MAPS: 'false' }).tileSources, [])
  const { tileSources } = loadConfig({ ...proxied, MAP_3D_ORDER: 'google' })
  assert.deepEqual(
    tileSources.map(({ name }) => name),
    ['street', 'satellite'],
  )
})

for (const [what, env, name] of [
  ['a vector style through the proxy', { MAP_STREET_PROXY: 'true' }, 'MAP_STREET_PROXY'],
  ['a proxy without tiles', { MAP_SATELLITE_PROXY: 'true' }, 'MAP_SATELLITE_PROXY'],
  ['a place for a key without a key', { ...proxied, MAP_SATELLITE_KEY: '' }, 'MAP_SATELLITE_KEY'],
  ['a key without a place', { ...proxied, MAP_STREET_KEY: 'secret' }, 'MAP_STREET_KEY'],
  ['a key that would reach every browser', { ...proxied, MAP_SATELLITE_PROXY: 'false' }, 'MAP_SATELLITE_KEY'],
  ['a key with spaces', { ...proxied, MAP_SATELLITE_KEY: 'a secret' }, 'MAP_SATELLITE_KEY'],
  ['an unknown cache', { ...proxied, MAP_SATELLITE_CACHE: 'disk' }, 'MAP_SATELLITE_CACHE'],
] as const) {
  test(`rejects ${what} in a sentence that names the variable, and shows no key`, () => {
    assert.throws(
      () => loadConfig(env),
      (error: unknown) =>
        error instanceof ConfigError &&
        error.problems.length === 1 &&
        error.problems[0]!.startsWith(name) &&
        !/secret|a&b/.test(error.message.replace('Secret key', '')),
    )
  })
}

for (const [name, value] of [
  ['MAP_3D_GOOGLE_KEY', 'a b'],
  ['MAP_3D_ION_TOKEN', 'a b'],
  ['MAP_3D_ION_ASSET', '0'],
  ['MAP_3D_TILES', 'tiles3d.example'],
  ['MAP_3D_TILES', 'https://tiles3d.example/{z}/{x}/{y}'],
  ['MAP_3D_TILES', 'https://tiles3d.example/tileset.json'],
  ['MAP_3D_ORDER', 'google,bing'],
  ['MAP_STREET', 'tiles.example'],
  ['MAP_STREET', 'ftp://tiles.example/style.json'],
  ['MAP_STREET', 'https://tiles.example/{z}/{x}.png'],
  ['MAP_STREET', 'https://tiles.example/{z}/{x}/{y}.png'],
  ['MAP_STREET', 'https://user:secret@tiles.example/style.json'],
  ['MAP_STREET_MAX_ZOOM', '25'],
  ['MAP_SATELLITE', 'https://sat.example/style.json'],
  ['MAP_SATELLITE', 'https://sat.example/{z}/{x}/{y}?key=a b'],
  ['MAP_SATELLITE', 'https://{s}.sat.example/{z}/{x}/{y}'],
  ['MAP_SATELLITE', 'https://sat.example/{z}/{x}/{y}?key={token}'],
  ['MAP_SATELLITE', 'https://{key}.sat.example/{z}/{x}/{y}'],
  ['MAP_STREET_VIEW', 'https://maps.example/?at={lat},{lon}&key={key}'],
  ['MAP_SATELLITE', 'https://sat.example/{z}/{x}/{y}'],
  ['MAP_SATELLITE_TILE_SIZE', '63'],
  ['MAP_SATELLITE_DAILY', '-1'],
  ['MAP_STREET_VIEW', 'https://maps.example/'],
  ['MAP_STREET_VIEW', 'javascript:alert({lat},{lon})'],
  ['MAP_TERRAIN', 'https://terrain.example/{z}/{x}/{y}'],
  ['MAP_SATELITE', 'https://sat.example/{z}/{x}/{y}'],
] as const) {
  test(`rejects ${name}=${value} in a sentence that names the variable`, () => {
    assert.throws(
      () => loadConfig({ [name]: value }),
      (error: unknown) =>
        error instanceof ConfigError &&
        error.problems.length === 1 &&
        error.problems[0]!.startsWith(name) &&
        !error.message.includes('secret'),
    )
  })
}
