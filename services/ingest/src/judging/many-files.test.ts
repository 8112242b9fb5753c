import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import { aFile } from '../test/a-file.ts'
import type { UploadedFile } from '../test/fake-upload.ts'
import { harness } from '../test/harness.ts'
import { startWorkerProcess } from '../test/start-process.ts'

test('ends all of 200 files from 20 drivers with bounded memory and disk', async t => {
  const service = await harness({ waitMs: 150_000 })
  t.after(() => service.close())
  const given: (readonly [userId: string, file: UploadedFile])[] = []
  for (let index = 0; index < 200; index++) {
    const driver = index % 20
    const lapTimesS = [20 + (index % 7) / 10]
    const bytes = aFile({ driverId: 500 + driver, lapTimesS, padding: 200 })
    given.push([`driver-${driver}`, await service.upload.addFile(`driver-${driver}`, bytes)])
  }
  const worker = await startWorkerProcess(t, {
    ...service.env,
    INGEST_THREADS: '2',
    INGEST_LEASE_MS: '15000',
  })
  // A busy machine can answer 503; the call is then repeated, as the page offers.
  const bring = async ([userId, file]: (typeof given)[number]) => {
    for (let tries = 1; ; tries++) {
      const answer = await service.ingest(userId, file)
      if (answer.body.code !== 'ingest.busy' || tries === MOST_TRIES) return answer
    }
  }
  const answers = given.map(bring)
  let filesOnDisk = 0
  let residentMiB = 0
  const watch = setInterval(() => {
    const [folder] = readdirSync(service.env.TMPDIR!)
    if (folder !== undefined) {
      filesOnDisk = Math.max(filesOnDisk, readdirSync(`${service.env.TMPDIR}/${folder}`).length)
    }
    residentMiB = Math.max(residentMiB, residentMiBOf(worker.child.pid!))
  }, 50)
  const ended = await Promise.all(answers).finally(() => clearInterval(watch))
  const statuses = ended.map(({ status, body }) => (status < 202 ? 'ended' : body.code))
  assert.deepEqual(new Set(statuses), new Set(['ended']))
  // Two files for each of two threads at most: one that is judged and one that is fetched.
  assert.ok(filesOnDisk <= 4, `${filesOnDisk} files on disk`)
  assert.ok(residentMiB < 600, `${residentMiB} MiB`)
  for (let driver = 0; driver < 20; driver++) {
    const laps = await service.db
      .selectFrom('lap')
      .select('time_ms')
      .where('user_id', '=', `driver-${driver}`)
      .where('counts', '=', true)
      .orderBy('time_ms')
      .execute()
    assert.equal(laps.length, 10)
  }
  const best = service.leaderboard.entries('round-ring', 'complete')
  assert.equal(best.length, 20)
  await until(
    () =>
      readdirSync(service.env.TMPDIR!).every(folder => {
        return readdirSync(`${service.env.TMPDIR}/${folder}`).length === 0
      }),
    'no file to be left',
  )
})

const MOST_TRIES = 10

/** Returns the resident memory of a process in MiB; 0 if the system does not show it. */
function residentMiBOf(pid: number): number {
  try {
    const [, kb = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kb) / 1024
  } catch {
    return 0
  }
}
