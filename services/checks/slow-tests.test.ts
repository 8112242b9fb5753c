import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { repositoryFiles } from './repository-files.ts'
import { isFast, slowTests } from './slow-tests.ts'

const files = repositoryFiles(join(import.meta.dirname, '../..'), '*.test.ts')

test('names a test file or a folder of test files in each entry', () => {
  assert.deepEqual(
    slowTests.filter(
      slow => !files.some(file => (slow.endsWith('/') ? file.startsWith(slow) : file === slow)),
    ),
    [],
  )
})

test('counts no browser test and over half of all files as fast', () => {
  const fast = files.filter(isFast)
  assert.deepEqual(
    fast.filter(file => file.startsWith('services/e2e/')),
    [],
  )
  assert.ok(fast.length > files.length / 2, `${fast.length} of ${files.length}`)
})
