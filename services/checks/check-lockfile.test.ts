import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lockfileProblems } from './check-lockfile.ts'

test('accepts a package with a hash and without a host, and accepts workspaces', () => {
  const packages = {
    '': {},
    gateway: {},
    'node_modules/@lapwing/gateway': { resolved: 'gateway', link: true },
    'node_modules/left-pad': { integrity: 'sha512-x' },
    'node_modules/left-pad/node_modules/inside': { inBundle: true },
  }
  assert.deepEqual(lockfileProblems({ packages }), [])
})

for (const [flaw, entry, problem] of [
  [
    'names a registry',
    { integrity: 'sha512-x', resolved: 'https://registry.example/left-pad.tgz' },
    /names a host/,
  ],
  [
    'comes from a repository',
    { integrity: 'sha512-x', resolved: 'git+ssh://git@host.example/left-pad' },
    /names a host/,
  ],
  ['has no hash', {}, /has no integrity hash/],
] as const) {
  test(`rejects a package that ${flaw}`, () => {
    const problems = lockfileProblems({ packages: { 'node_modules/left-pad': entry } })
    assert.equal(problems.length, 1)
    assert.match(problems[0]!, problem)
  })
}

test('rejects another version than a workspace asks for, of its own or of all', () => {
  const gateway = { dependencies: { 'left-pad': '1.2.0' }, devDependencies: { mirror: '*' } }
  const wanted = { version: '1.2.0', integrity: 'sha512-x' }
  const other = { version: '2.0.0', integrity: 'sha512-x' }
  const problemsOf = (packages: Parameters<typeof lockfileProblems>[0]['packages']) =>
    lockfileProblems({ packages: { gateway, ...packages } })
  assert.deepEqual(problemsOf({ 'node_modules/left-pad': wanted }), [])
  assert.deepEqual(
    problemsOf({ 'node_modules/left-pad': other, 'gateway/node_modules/left-pad': wanted }),
    [],
  )
  assert.deepEqual(problemsOf({ 'node_modules/left-pad': wanted, 'gateway/node_modules/left-pad': other }), [
    'gateway asks for left-pad 1.2.0, not 2.0.0',
  ])
  assert.deepEqual(problemsOf({}), ['gateway asks for left-pad 1.2.0, not none'])
})
