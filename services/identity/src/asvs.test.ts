import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const folder = join(import.meta.dirname, '..')
const rows = [
  ...readFileSync(join(folder, 'asvs.md'), 'utf8').matchAll(/^\| (\d+\.\d+\.\d+) \| ([\w ]+) \| (.+) \|$/gm),
].map(([, id, verdict, proof]) => ({ id: id!, verdict: verdict!, proof: proof! }))

/**
 * Number of requirements of levels 1 and 2 at the start of each section of ASVS 5.0; level 3 follows
 * them.
 */
const REQUIREMENT_COUNTS: Readonly<Record<string, number>> = {
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '9.1': 3,
  '9.2': 4,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 11,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
}

test('has every requirement of levels 1 and 2 once', () => {
  const expected = Object.entries(REQUIREMENT_COUNTS).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
  )
  assert.deepEqual(
    rows.map(({ id }) => id),
    expected,
  )
})

test('names only tests that exist', () => {
  let named = 0
  for (const { id, proof } of rows) {
    for (const [, file, name] of proof.matchAll(/`([^`]+\.test\.ts)`: "([^"]+)"/g)) {
      named++
      const source = readFileSync(join(folder, file!), 'utf8')
      assert.ok(source.includes(name!), `${id} names "${name}", which is not in ${file}`)
    }
  }
  assert.ok(named > 60)
})

test('gives a proof, code or chapter for every met requirement', () => {
  for (const { id, verdict, proof } of rows) {
    assert.ok(['met', 'partly', 'not met', 'elsewhere', 'does not apply'].includes(verdict), id)
    const hasProof = /`[^`]+\.ts`|README\.md|migrations|contract|no code that/.test(proof)
    if (verdict === 'met' || verdict === 'partly') assert.ok(hasProof, `${id} has no proof`)
    else assert.ok(proof.length > 5, `${id} has no reason`)
  }
})
