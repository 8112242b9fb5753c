import assert from 'node:assert/strict'
import { test } from 'node:test'
import { harness } from '../test/harness.ts'
import { recordFile } from '../test/record-file.ts'

test('stores the fastest 2,000 laps of a file, and counts the others in the answer', async t => {
  const service = await harness()
  t.after(() => service.close())
  const laps = Array.from({ length: 2_003 }, (_, index) => ({ timeMs: 90_000 + index }))
  const { ingest } = await recordFile(service.db, 'endless', { laps })
  assert.deepEqual([ingest.state, ingest.outcome?.laps_left_out], ['recorded', 3])
  const kept = await service.db
    .selectFrom('lap')
    .select(({ fn }) => [fn.countAll<string>().as('count'), fn.max('time_ms').as('slowest')])
    .executeTakeFirstOrThrow()
  assert.deepEqual([Number(kept.count), kept.slowest], [2_000, 91_999])

  const slower = await recordFile(service.db, 'endless', {
    laps: laps.map(({ timeMs }) => ({ timeMs: timeMs + 10_000 })),
  })
  assert.deepEqual(slower.ingest.outcome, { skipped: 'not_faster', laps_left_out: 3 })
  const small = await recordFile(service.db, 'endless', { laps: laps.slice(0, 2_000) })
  assert.equal(small.ingest.outcome?.laps_left_out, undefined)
})
