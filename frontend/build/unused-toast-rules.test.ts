import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutUnused } from './unused-toast-rules.ts'

test('removes selectors of unused features, also in media queries, and keeps all others', () => {
  const css =
    '@layer base{[a][dir=rtl]{x:1}[a][data-y-position=bottom],[a][data-y-position=top]{x:2}@media (x){[a]{x:3}[a][data-x-position=left]{x:4}}}' +
    '@keyframes k{from{x:5}to{x:6}}'
  assert.equal(
    withoutUnused(css),
    '@layer base{[a][data-y-position=bottom]{x:2}@media (x){[a]{x:3}}}@keyframes k{from{x:5}to{x:6}}',
  )
})
