import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { checkReadmes } from './check-readmes.ts'

test('accepts names that exist from the root or from the folder of the README', t => {
  const rootDir = tree(t, {
    Makefile: 'run: install\n\ttrue\ninstall:\n',
    'gateway/src/main.ts': '',
    'gateway/README.md':
      'Start in `src/main.ts`, see [the root](../README.md) and `gateway/src`. Run `make run`.',
    'README.md':
      'Read `gateway/src/main.ts`. A service is `services/<name>`; tests are `*.test.ts`; `PORT=1 npm i`.',
  })
  assert.equal(checkReadmes(rootDir), null)
})

for (const [kind, text, problem] of [
  ['file', 'See `gateway/src/app.ts`.', 'README.md names gateway/src/app.ts, which does not exist'],
  ['folder', 'See `services/billing/`.', 'README.md names services/billing/, which does not exist'],
  ['link', 'See [this](docs/design.md#top).', 'README.md names docs/design.md, which does not exist'],
  ['command', 'Run `make coffee`.', 'README.md names make coffee, which does not exist'],
] as const) {
  test(`reports a ${kind} that does not exist`, t => {
    assert.equal(checkReadmes(tree(t, { Makefile: 'run:\n', 'README.md': text })), problem)
  })
}

function tree(t: TestContext, files: Record<string, string>): string {
  const rootDir = mkdtempSync(join(tmpdir(), 'lapwing-readmes-'))
  t.after(() => rmSync(rootDir, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(rootDir, path)), { recursive: true })
    writeFileSync(join(rootDir, path), text)
  }
  return rootDir
}
