import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const services = join(import.meta.dirname, '../..')

/** Of SQL as text, and of Kysely. */
const offset = /\boffset\s+(?:\$|\d|\?|:|\()|\.offset\(/i

test('no statement skips rows by OFFSET, which reads all that it skips', () => {
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
  test(`"${text}" would be found`, () => assert.match(text, offset))
}
