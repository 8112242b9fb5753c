import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aFile } from '@lapwing/ingest/test/a-file'
import { type Harness as IngestHarness, harness as ingestHarness } from '@lapwing/ingest/test/harness'
import { type Harness as BoardsHarness, harness as boardsHarness } from '@lapwing/leaderboard/test/harness'
import { sweep } from '@lapwing/upload/sweep'
import { type Harness as UploadHarness, harness as uploadHarness } from '@lapwing/upload/test/harness'

let laps: IngestHarness
let boards: BoardsHarness
let uploads: UploadHarness
before(async () => {
  ;[laps, boards] = await Promise.all([ingestHarness(), boardsHarness()])
  // Both services use one bucket, as they do in production.
  uploads = await uploadHarness({ bucket: { ...laps.bucket, drop: async () => {} } })
  await laps.startWorker({ LEADERBOARD_URL: await boards.app.listen({ host: '127.0.0.1', port: 0 }) })
})
after(async () => {
  await uploads?.close()
  await Promise.all([laps?.close(), boards?.close()])
})

const driver = 'user-test-driver'

/** Uploads a file and has it judged. */
async function save(bytes: Uint8Array) {
  const announced = await uploads.announce(driver, bytes)
  const { key, sessionId } = announced
  await uploads.store.put(key, bytes, { contentType: 'application/octet-stream' })
  assert.equal((await uploads.complete(driver, announced)).status, 200)
  const { etag } = (await uploads.readSession(sessionId)) as { readonly etag: string }
  const given = laps.upload.addSession({ user_id: driver, key, etag, size: bytes.byteLength })
  const { status, body } = await laps.ingest(driver, given)
  return { key, status, body }
}

test('lists a lap, its reference and its entry after the quota removed the raw file', async () => {
  const best = await save(aFile({ lapTimesS: [20, 19.5] }))
  assert.equal(best.status, 201)
  uploads.clock.now = new Date(uploads.clock.now.getTime() + 1_000)
  const last = aFile({ lapTimesS: [30, 29.5] })
  assert.equal((await save(last)).body.skipped, 'not_faster')
  const { db, store } = uploads
  const inAnHour = new Date(uploads.clock.now.getTime() + 3_600_000)
  const quotas = { account: last.byteLength, network: 1e15, total: null }
  const swept = await sweep({ db, store, now: () => inAnHour, keepDays: 30, quotas })
  assert.equal(swept.outdated, 1)
  await assert.rejects(store.head(best.key))

  const listed = await laps.call('listLaps', { method: 'GET', url: '/api/laps', as: driver })
  assert.equal(listed.status, 200)
  const lap = (listed.body.laps as { lap_id: string; on_board: string[] }[]).find(
    ({ lap_id }) => lap_id === best.body.lap_id,
  )
  assert.deepEqual(lap?.on_board, ['complete', 'clean'])
  const url = `/api/laps/${best.body.lap_id}/reference`
  assert.equal((await laps.call('getReference', { method: 'GET', url, as: 'user-test-other' })).status, 200)
  const board = 'sim=iracing&track_slug=round-ring&layout=default&car_slug=lapwing-gt'
  const page = await boards.get('getPage', `/api/leaderboards?${board}`, driver)
  assert.deepEqual(
    page.body.rows.map((row: { lap_id: string }) => row.lap_id),
    [best.body.lap_id],
  )
})
