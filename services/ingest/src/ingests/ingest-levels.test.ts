import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import { aFile } from '../test/a-file.ts'
import { harness } from '../test/harness.ts'
import { ingestLevels } from './ingest-levels.ts'

test('reports the files that wait, the age of the oldest, and the jobs in the queue', async t => {
  const service = await harness({ waitMs: 0 })
  t.after(() => service.close())
  const read = async (name: string) => {
    const level = ingestLevels(service.db, service.queue).find(level => level.name === name)!
    const readings = await level.read()
    return Object.fromEntries(readings.map(({ labels, value }) => [labels.state, value]))
  }
  const none = { waiting: 0, running: 0, recorded: 0 }
  assert.deepEqual(await read('lapwing_ingest_files'), none)
  assert.deepEqual(await read('lapwing_ingest_oldest_seconds'), none)
  for (const name of ['lapwing_held_laps', 'lapwing_held_laps_oldest_seconds']) {
    assert.deepEqual(await read(name), { undefined: 0 })
  }

  await service.uploadAndIngest('one', aFile({ driverId: 1 }))
  await service.uploadAndIngest('two', aFile({ driverId: 2 }))
  await service.db
    .updateTable('ingest')
    .set({ created_at: new Date(Date.now() - 60_000) })
    .where('user_id', '=', 'one')
    .execute()
  assert.deepEqual(await read('lapwing_ingest_files'), { ...none, waiting: 2 })
  const { waiting } = await read('lapwing_ingest_oldest_seconds')
  assert.ok(waiting! >= 59 && waiting! < 120, `${waiting} s`)
  await until(async () => (await read('lapwing_queue_jobs')).prioritized === 2)
})
