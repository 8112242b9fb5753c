import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const services = join(import.meta.dirname, '../..')

/** Matches OFFSET in SQL text and in Kysely calls. */
const offset = /\boffset\s+(?:\$|\d|\?|:|\()|\.offset\(/i

test('has no statement with OFFSET, which reads all rows that it skips', () => {
  const files = globSync('{account,identity,ingest,leaderboard,upload}/{src,migrations}/**/*.ts', {
    cwd: services,
  })
  assert.ok(files.length > 50)
  const found = files.filter(
    file => !file.endsWith('.test.ts') && offset.test(readFileSync(join(services, file), 'utf8')),
  )
  assert.deepEqual(found, [])
})

for (const text of ['limit 50 offset $2', 'OFFSET 100 rows', 'offset ?', 'db.selectFrom("a").offset(3)']) {
  test(`finds "${text}"`, () => assert.match(text, offset))
}
