import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { slug } from './slug.ts'

test('makes slugs of names', () => {
  const names: readonly (readonly [string | null, string])[] = [
    ['Red Bull Ring', 'red-bull-ring'],
    ['skmodified tour', 'skmodified-tour'],
    ['Autódromo José Carlos Pace', 'autodromo-jose-carlos-pace'],
    ['Nürburgring – Gesamtstrecke 24h', 'nurburgring-gesamtstrecke-24h'],
    ['Motorsport Arena Oschersleben (A/B)', 'motorsport-arena-oschersleben-a-b'],
    ["Driver's  Club", 'drivers-club'],
    ['Ørje Straße', 'orje-strasse'],
    ['  --Oval-- ', 'oval'],
    ['mx5_cup', 'mx5_cup'],
    ['', 'unknown'],
    ['   ', 'unknown'],
    ['!!!', 'unknown'],
    [null, 'unknown'],
  ]
  for (const [name, expected] of names) assert.equal(slug(name), expected)
  assert.equal(slug('', 'default'), 'default')
})

test('makes different slugs for different names in other scripts', () => {
  const slugs = ['鈴鹿サーキット', '富士スピードウェイ', 'Нижегородское кольцо'].map(name => slug(name))
  assert.equal(new Set(slugs).size, 3)
  for (const text of slugs) assert.match(text, /^[a-z0-9_-]+$/)
})

test('makes slugs of 1 to 64 URL characters for any name, and leaves a slug unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), name => {
      const text = slug(name)
      assert.match(text, /^[a-z0-9_]+(-[a-z0-9_]+)*$/)
      assert.ok(text.length <= 64)
      assert.equal(slug(text), text)
    }),
    { numRuns: 500 },
  )
})
