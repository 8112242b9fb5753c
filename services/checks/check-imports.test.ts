import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { checkImports } from './check-imports.ts'
import { importRules } from './import-rules.ts'

const typeB = 'export type B = 1'

/** Maps each rule to sets of files (path and text) that break this rule and no other. */
const violations: Record<string, Record<string, string>[]> = {
  'no-cycles': [{ 'gateway/src/a.ts': `import './b.ts'`, 'gateway/src/b.ts': `import './a.ts'` }],
  resolvable: [{ 'gateway/src/a.ts': `import './nowhere.ts'` }],
  'services-stand-alone': [
    { 'services/preview/src/a.ts': `import '../../upload/src/b.ts'`, 'services/upload/src/b.ts': '' },
    { 'services/preview/src/a.ts': `import type { B } from '../../../gateway/b.ts'`, 'gateway/b.ts': typeB },
    { 'services/preview/src/a.ts': `import '../../local/b.ts'`, 'services/local/b.ts': '' },
    { 'services/preview/src/a.ts': `await import('../../../frontend/src/b.ts')`, 'frontend/src/b.ts': '' },
  ],
  'gateway-stands-alone': [
    { 'gateway/src/a.ts': `import '../../services/preview/src/b.ts'`, 'services/preview/src/b.ts': '' },
    { 'gateway/src/a.ts': `export * from '../../frontend/src/b.ts'`, 'frontend/src/b.ts': typeB },
  ],
  'lib-knows-no-user': [
    { 'services/lib/http/a.ts': `import '../../preview/src/b.ts'`, 'services/preview/src/b.ts': '' },
    { 'services/lib/http/a.ts': `import '../../local/b.ts'`, 'services/local/b.ts': '' },
  ],
  'page-shares-what-has-no-server': [
    { 'frontend/src/a.ts': `import '../../services/lib/http/b.ts'`, 'services/lib/http/b.ts': '' },
    { 'frontend/src/a.tsx': `import '../../gateway/src/b.ts'`, 'gateway/src/b.ts': '' },
  ],
  'page-tests-share-the-test-library': [
    { 'frontend/src/a.test.ts': `import '../../services/lib/http/b.ts'`, 'services/lib/http/b.ts': '' },
  ],
  'features-stand-alone': [
    { 'frontend/src/features/laps/a.ts': `import '../upload/b.ts'`, 'frontend/src/features/upload/b.ts': '' },
    { 'frontend/src/features/laps/a.ts': `import '../../app/b.ts'`, 'frontend/src/app/b.ts': '' },
  ],
  'shared-knows-no-feature': [
    {
      'frontend/src/shared/a.ts': `import '../features/upload/b.ts'`,
      'frontend/src/features/upload/b.ts': '',
    },
    { 'frontend/src/shared/a.ts': `import '../app/b.ts'`, 'frontend/src/app/b.ts': '' },
  ],
  'client-stands-alone': [
    { 'frontend/client/src/a.ts': `import '../../src/shared/ui/b.ts'`, 'frontend/src/shared/ui/b.ts': '' },
    { 'frontend/client/src/a.ts': `import '../../widget/src/b.ts'`, 'frontend/widget/src/b.ts': '' },
  ],
  'telemetry-runs-anywhere': [
    { 'services/lib/telemetry/a.ts': `import 'node:fs'` },
    { 'services/lib/telemetry/a.ts': `import '../http/b.ts'`, 'services/lib/http/b.ts': '' },
    { 'services/lib/telemetry/a.ts': `import 'left-pad'`, ...declared('services/lib/telemetry', 'left-pad') },
  ],
  'lap-map-runs-anywhere': [
    { 'services/lib/lap-map/a.ts': `import 'node:fs'` },
    { 'services/lib/lap-map/a.ts': `import '../telemetry/b.ts'`, 'services/lib/telemetry/b.ts': '' },
    { 'services/lib/lap-map/a.ts': `import 'left-pad'`, ...declared('services/lib/lap-map', 'left-pad') },
  ],
  'test-code-stays-in-tests': [
    { 'gateway/src/a.ts': `import '../../services/lib/testing/b.ts'`, 'services/lib/testing/b.ts': '' },
    { 'gateway/src/a.ts': `import './b.test.ts'`, 'gateway/src/b.test.ts': '' },
    { 'frontend/src/app/a.ts': `import '../testing/b.ts'`, 'frontend/src/testing/b.ts': '' },
  ],
  'declared-packages': [
    {
      'gateway/src/a.ts': `import 'left-pad'`,
      ...declared('gateway', 'left-pad'),
      'gateway/package.json': `{ "name": "gateway" }`,
    },
  ],
  'no-development-packages-at-run-time': [
    {
      'gateway/src/a.ts': `import 'left-pad'`,
      ...declared('gateway', 'left-pad'),
      'gateway/package.json': `{ "name": "gateway", "devDependencies": { "left-pad": "1.0.0" } }`,
    },
  ],
}

test('breaks every rule with an import', () => {
  assert.deepEqual(
    Object.keys(violations),
    importRules.map(({ name }) => name),
  )
})

for (const [rule, cases] of Object.entries(violations)) {
  for (const files of cases) {
    test(`${rule} forbids ${Object.values(files)[0]} in ${Object.keys(files)[0]}`, async t => {
      const problems = await check(t, files)
      assert.deepEqual([...new Set(problems.map(problem => problem.rule))], [rule], JSON.stringify(problems))
    })
  }
}

test('accepts the imports that the rules allow', async t => {
  const problems = await check(t, {
    'services/preview/src/a.ts': `import '../../lib/http/b.ts'; import 'left-pad'; import 'node:fs'`,
    ...declared('services/preview', 'left-pad'),
    'services/preview/src/a.test.ts': `import './a.ts'; import '../../lib/testing/c.ts'`,
    'services/lib/http/b.ts': `import type { B } from '../config/b.ts'; export const b = 1 as B`,
    'services/lib/config/b.ts': typeB,
    'services/lib/testing/c.ts': '',
    'services/lib/telemetry/index.ts': `import '../contracts/gen/proto/p.ts'`,
    'services/lib/telemetry/index.test.ts': `import './index.ts'; import 'node:test'`,
    'services/lib/contracts/gen/proto/p.ts': '',
    'services/e2e/a.test.ts': `import '../local/stack.ts'`,
    'services/local/stack.ts': '',
    'gateway/src/a.ts': `import '../../services/lib/http/b.ts'`,
    'frontend/src/app/a.tsx': `import '../features/laps/b.tsx'; import '../shared/c.ts'`,
    'frontend/src/features/laps/b.tsx': `import '../../shared/c.ts'; import './d.ts'; import '../../../../services/lib/telemetry/index.ts'`,
    'frontend/src/features/laps/d.ts': '',
    'frontend/src/features/laps/d.test.ts': `import '../../testing/e.ts'; import '../../../../services/lib/testing/c.ts'`,
    'frontend/src/shared/c.ts': '',
    'frontend/src/testing/e.ts': '',
    'frontend/client/src/a.ts': `import '../../src/shared/store/store.ts'`,
    'frontend/src/shared/store/store.ts': '',
  })
  assert.deepEqual(problems, [])
})

test('rejects a folder without a module', async t => {
  await assert.rejects(check(t, { 'gateway/readme.txt': '' }), /No module was found/)
})

/** Returns the files of a package that is installed at the root and declared by one workspace. */
function declared(workspace: string, name: string): Record<string, string> {
  return {
    [`${workspace}/package.json`]: JSON.stringify({ name: 'x', dependencies: { [name]: '1.0.0' } }),
    [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '1.0.0', main: 'index.js' }),
    [`node_modules/${name}/index.js`]: '',
  }
}

function check(t: TestContext, files: Record<string, string>) {
  const rootDir = mkdtempSync(join(tmpdir(), 'lapwing-imports-'))
  t.after(() => rmSync(rootDir, { recursive: true, force: true }))
  for (const [path, text] of Object.entries({ 'package.json': '{ "name": "root" }', ...files })) {
    mkdirSync(dirname(join(rootDir, path)), { recursive: true })
    writeFileSync(join(rootDir, path), text)
  }
  const folders = new Set(Object.keys(files).map(path => path.split('/')[0]!))
  folders.delete('node_modules')
  return checkImports(rootDir, [...folders])
}
