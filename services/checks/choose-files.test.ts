import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseFiles } from './choose-files.ts'

const files = ['gateway/src/app.test.ts', 'services/e2e/app.test.ts', 'services/local/run.test.ts']

for (const [names, chosen] of [
  [[], files],
  [['services/'], files.slice(1)],
  [['./gateway/src/app.test.ts'], files.slice(0, 1)],
  [['app', 'run.test.ts'], files],
  [['nothing'], []],
] as const) {
  test(`${names.length === 0 ? 'no name' : names.join(' and ')} chooses ${chosen.length} of ${files.length} files`, () => {
    assert.deepEqual(chooseFiles(files, names), chosen)
  })
}
