import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scenarios } from '../scenarios/scenarios.ts'
import { bundleScripts } from './bundle-scripts.ts'

test('bundles a script of each scenario that imports modules of k6 alone', async () => {
  const bundles = await bundleScripts()
  assert.deepEqual(
    bundles.map(({ name }) => name),
    Object.keys(scenarios).sort(),
  )
  for (const { imports, code } of bundles) {
    assert.ok(imports.length > 0)
    for (const name of imports) assert.match(name, /^k6(?:\/|$)/)
    // Node and browsers have these, and k6 does not.
    for (const missing of [
      'process.',
      'Buffer.',
      'new TextEncoder',
      'new URLSearchParams',
      ' fetch(',
      'structuredClone',
    ]) {
      assert.ok(!code.includes(missing), `${missing} in a script`)
    }
    // k6 finds what it runs by its exports.
    assert.match(code, /export \{[^}]*\bdefault\b/)
    for (const name of ['options', 'setup', 'teardown']) {
      assert.match(code, new RegExp(`export \\{[^}]*\\b${name}\\b`), name)
    }
  }
})
