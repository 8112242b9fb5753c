import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { SCHEMAS } from './schemas.ts'

const rootDir = join(import.meta.dirname, '../../..')

test('holds the schema of every service that has one, and their migrations in the image', () => {
  const folders = globSync('services/*/migrations', { cwd: rootDir }).sort()
  assert.deepEqual(
    folders.map(folder => basename(dirname(folder))),
    SCHEMAS.toSorted(),
  )
  const { lapwing } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
  assert.deepEqual(lapwing.folders.toSorted(), folders)
})
