import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseFiles } from './choose-files.ts'

const files = ['gateway/src/app.test.ts', 'services/e2e/app.test.ts', 'services/local/run.test.ts']

for (const [names, expected] of [
  [[], files],
  [['services/'], files.slice(1)],
  [['./gateway/src/app.test.ts'], files.slice(0, 1)],
  [['app', 'run.test.ts'], files],
  [['nothing'], []],
] as const) {
  test(`chooses ${expected.length} of ${files.length} files for ${names.length === 0 ? 'no name' : names.join(' and ')}`, () => {
    assert.deepEqual(chooseFiles(files, names), expected)
  })
}
