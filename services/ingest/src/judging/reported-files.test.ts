import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sharedIbt, sharedIbtMissing } from '@lapwing/testing/shared-ibt.ts'
import { harness } from '../test/harness.ts'

/** Best times (ms) on the board of inputs from public reports about other tools; null if they have none. */
const bests: Readonly<Record<string, number | null>> = {
  'answers-all-zero': null,
  'finish-before-start': 50_351,
  'joker-lap-120-m-longer': 51_088,
  'no-answer-for-best': 51_290,
  'position-zero-everywhere': 51_088,
  'position-zero-in-one-row': 51_088,
  'practice-and-heat': 51_088,
  'twice-the-speed-of-the-car': null,
  'two-percent-too-fast': null,
}

test('brings the right lap of each reported input onto the board, or none', {
  skip: sharedIbtMissing,
}, async t => {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-cases-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync('python3', [sharedIbt('cases/build.py'), folder], { timeout: 120_000 })
  const service = await harness()
  t.after(() => service.close())
  await service.startWorker()
  assert.deepEqual(
    readdirSync(folder).sort(),
    Object.keys(bests).map(name => `${name}.ibt`),
  )
  for (const [name, best] of Object.entries(bests)) {
    const published = service.leaderboard.received.length
    const { status, body } = await service.uploadAndIngest(name, readFileSync(join(folder, `${name}.ibt`)))
    if (best === null) {
      assert.deepEqual([status, body.skipped], [200, 'no_complete_lap'], name)
      assert.equal(service.leaderboard.received.length, published, name)
    } else {
      assert.deepEqual([status, body.best_lap_time_ms], [201, best], name)
      const standing = service.leaderboard.received.findLast(({ user_id }) => user_id === name)
      assert.equal(standing?.complete?.time_ms, best, name)
    }
    // The inputs are made of the same laps, which belong to one account.
    await service.forget(name)
  }
})
