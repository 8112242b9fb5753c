import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOf } from './place.ts'
import { MODES } from './products.ts'

const rooms = {
  wide: { elementWidth: 400, windowHeight: 800 },
  narrow: { elementWidth: 239, windowHeight: 800 },
  low: { elementWidth: 400, windowHeight: 319 },
}

const expected = {
  embedded: ['inPlace', 'panel', 'inPlace'],
  floating: ['panel', 'panel', 'panel'],
  embeddedOnly: ['inPlace', 'inPlace', 'inPlace'],
  floatingOrEmbedded: ['panel', 'panel', 'inPlace'],
  forceLegacyEmbedded: ['inPlace', 'inPlace', 'inPlace'],
} as const

for (const mode of MODES) {
  test(`${mode} has its place with room, in a narrow element and in a low window`, () => {
    assert.deepEqual(
      Object.values(rooms).map(room => placeOf(mode, room)),
      expected[mode],
    )
  })
}
