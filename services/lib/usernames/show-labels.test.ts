import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showLabels } from './show-labels.ts'

for (const [label, slug, shown] of [
  ['Circuit de Spa-Francorchamps', 'spa', 'Circuit de Spa-Francorchamps'],
  ['TT Circuit Assen', 'assen', 'TT Circuit Assen'],
  ['Dick Johnson Raceway', 'dick-johnson-raceway', 'Dick Johnson Raceway'],
  ['Autodromo Nazionale Monza', 'autodromo-nazionale-monza', 'Autodromo Nazionale Monza'],
  ['Fuck Raceway', 'summit-point', 'Summit Point'],
  ['Fuck Raceway', 'fuck-raceway', 'Unnamed track'],
  ['Fuck Raceway', '-', 'Unnamed track'],
  ['F.u.c.k', 'f-u-c-k', 'Unnamed track'],
] as const) {
  test(`lists the board "${label}" of ${slug} as "${shown}"`, async () => {
    const [item] = await showLabels([{ label, slug, layout: 'default' }], 'Unnamed track')
    assert.deepEqual(item, { label: shown, slug, layout: 'default' })
  })
}

test('keeps the order of many labels, and does not block the event loop', async () => {
  const items = Array.from({ length: 300 }, (_, index) => ({
    label: index % 100 === 0 ? `Shithead Park ${index}` : `Track ${index}`,
    slug: `track-${index}`,
  }))
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  const shown = await showLabels(items, 'Unnamed track')
  clearInterval(timer)
  assert.deepEqual(
    shown.map(({ label }) => label),
    items.map((_, index) => `Track ${index}`),
  )
  assert.ok(turns > 0)
})
