import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MapSources, NO_MAP_SOURCES, type PhotoSource } from '#shared/config/map-sources.ts'
import { mapHosts, usesGoogle } from './map-hosts.ts'

const raster = (tiles: string) => ({ tiles, tileSize: 256, maxZoom: 19, attribution: '© Example' })
const of = (photo: readonly PhotoSource[]): MapSources => ({ ...NO_MAP_SOURCES, photo: [...photo] })

test('names each host of pictures once, without that of the page', () => {
  const sources: MapSources = {
    street: { style: 'https://tiles.example/style.json' },
    satellite: raster('https://lapwing.example/tiles/satellite/{z}/{x}/{y}'),
    streetView: 'https://maps.example/?at={lat},{lon}',
    photo: [
      { kind: 'google', key: 'k' },
      { kind: 'ion', token: 't', assetId: 7 },
      { kind: 'tiles', url: 'https://tiles.example/tileset.json', attribution: '© Example' },
      { kind: 'terrain', terrain: raster('https://heights.example:8443/{z}/{x}/{y}') },
    ],
  }
  assert.deepEqual(mapHosts(sources, 'lapwing.example'), [
    'tiles.example',
    'tile.googleapis.com',
    'api.cesium.com',
    'assets.ion.cesium.com',
    'heights.example:8443',
  ])
  assert.deepEqual(mapHosts(NO_MAP_SOURCES, 'lapwing.example'), [])
})

test('knows that tiles of Google come from Google and from one tileset of Cesium ion', () => {
  assert.equal(usesGoogle(of([{ kind: 'google', key: 'k' }])), true)
  assert.equal(usesGoogle(of([{ kind: 'ion', token: 't', assetId: 2275207 }])), true)
  assert.equal(usesGoogle(of([{ kind: 'ion', token: 't', assetId: 7 }])), false)
  assert.equal(usesGoogle(NO_MAP_SOURCES), false)
})
