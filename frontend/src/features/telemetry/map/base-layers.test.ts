import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadBase, styleLayers } from './base-layers.ts'

test('gives sources and layers of a style names of their own', () => {
  const style = {
    version: 8,
    glyphs: 'https://tiles.example/{fontstack}/{range}.pbf',
    sprite: 'https://tiles.example/sprite',
    sources: { map: { type: 'vector', url: 'https://tiles.example/planet' } },
    layers: [
      { id: 'background', type: 'background', paint: { 'background-color': '#fff' } },
      { id: 'lap', type: 'line', source: 'map', 'source-layer': 'transportation' },
    ],
  }
  assert.deepEqual(styleLayers(style), {
    glyphs: style.glyphs,
    sprite: style.sprite,
    sources: [['base/map', style.sources.map]],
    layers: [
      { ...style.layers[0], id: 'base/background' },
      { ...style.layers[1], id: 'base/lap', source: 'base/map' },
    ],
  })
})

for (const value of [null, 'a page', {}, { version: 8 }, { version: 7, sources: {}, layers: [] }]) {
  test(`rejects ${JSON.stringify(value)}, which is no style`, () => {
    assert.throws(() => styleLayers(value), TypeError)
  })
}

test('makes a layer of raster tiles, with the credit of their provider', async () => {
  const tiles = 'https://sat.example/{z}/{x}/{y}'
  const base = { tiles, tileSize: 512, maxZoom: 18, attribution: '© Example' }
  const { sources, layers } = await loadBase(base, AbortSignal.abort())
  assert.deepEqual(
    sources.map(([, source]) => source),
    [{ type: 'raster', tiles: [tiles], tileSize: 512, maxzoom: 18, attribution: '© Example' }],
  )
  assert.equal((layers[0] as { source?: string }).source, sources[0]![0])
})
