import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { hashSources } from './build-frontend.ts'

const files = {
  'frontend/src/main.tsx': 'main',
  'frontend/src/main.test.ts': 'test',
  'frontend/package.json': '{}',
  'frontend/public/icon.svg': '<svg/>',
  'services/lib/telemetry/index.ts': 'export {}',
  'services/preview/src/main.ts': 'main',
}

for (const [what, path, isRebuilt] of [
  ['the page’s code', 'frontend/src/main.tsx', true],
  ['a file that is served as it is', 'frontend/public/icon.svg', true],
  ['the page’s packages', 'frontend/package.json', true],
  ['a library', 'services/lib/telemetry/index.ts', true],
  ['a new file', 'frontend/src/shared/new.ts', true],
  ['a test', 'frontend/src/main.test.ts', false],
  ['a service', 'services/preview/src/main.ts', false],
] as const) {
  test(`a change of ${what} ${isRebuilt ? 'needs a new page' : 'does not need a new page'}`, t => {
    const rootDir = tree(t)
    const before = hashSources(rootDir)
    write(rootDir, path, 'changed')
    assert.equal(hashSources(rootDir) !== before, isRebuilt)
  })
}

test('needs no new page after a file was only touched', t => {
  const rootDir = tree(t)
  const before = hashSources(rootDir)
  utimesSync(join(rootDir, 'frontend/src/main.tsx'), 1, 1)
  assert.equal(hashSources(rootDir), before)
})

function tree(t: TestContext): string {
  const rootDir = mkdtempSync(join(tmpdir(), 'lapwing-sources-'))
  t.after(() => rmSync(rootDir, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) write(rootDir, path, text)
  return rootDir
}

function write(rootDir: string, path: string, text: string): void {
  mkdirSync(dirname(join(rootDir, path)), { recursive: true })
  writeFileSync(join(rootDir, path), text)
}
