import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import ingest from '@lapwing/contracts/ingest.json' with { type: 'json' }
import leaderboard from '@lapwing/contracts/leaderboard.json' with { type: 'json' }
import upload from '@lapwing/contracts/upload.json' with { type: 'json' }
import { aFile } from '@lapwing/ingest/test/a-file'
import { type Harness as IngestHarness, harness as ingestHarness } from '@lapwing/ingest/test/harness'
import { aStanding, summit } from '@lapwing/leaderboard/test/a-standing'
import { type Harness as BoardsHarness, harness as boardsHarness } from '@lapwing/leaderboard/test/harness'
import { until } from '@lapwing/testing/until.ts'
import { type Harness as UploadHarness, harness as uploadHarness } from '@lapwing/upload/test/harness'
import fc from 'fast-check'
import { type Operation, operationsOf } from './contract-fuzz/operations-of.ts'
import { type FuzzedRequest, type Known, requestArbitrary } from './contract-fuzz/request-arbitrary.ts'

/** A short run for every day. */
const parameters = {
  numRuns: Number(process.env.FUZZ_API_RUNS ?? 100),
  seed: Number(process.env.FUZZ_SEED ?? 1),
}

let uploads: UploadHarness
let laps: IngestHarness
let boards: BoardsHarness
before(async () => {
  ;[uploads, laps, boards] = await Promise.all([uploadHarness(), ingestHarness(), boardsHarness()])
})
after(() => Promise.all([uploads?.close(), laps?.close(), boards?.close()]))

const driver = 'user-test-driver'
const userOf = (as: FuzzedRequest['as'], somebody = driver) =>
  as === 'nobody' ? {} : { as: as === 'somebody' ? somebody : 'user-test-stranger' }

/** Sends many requests; the harness checks each answer against the contract. */
async function sendMany(
  operation: Operation,
  known: Known,
  send: (request: FuzzedRequest) => Promise<{ readonly status: number }>,
): Promise<void> {
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(requestArbitrary(operation, known), async request => {
      const { status } = await send(request)
      assert.ok(status < 500, `${status} for ${JSON.stringify(request)}`)
      if (status < 400) accepted++
    }),
    parameters,
  )
  assert.ok(accepted > 0, 'nothing that was sent led further than a refusal')
}

for (const operation of operationsOf(upload)) {
  test(`answers any request to ${operation.id} of upload by its contract`, async () => {
    // The first driver has the maximum of open uploads.
    const driver = `user-test-${operation.id}`
    const file = aFile()
    const { sessionId, key } = await uploads.announce(driver, file)
    await uploads.store.put(key, file, { contentType: 'application/octet-stream' })
    const known: Known = {
      sessionId: [sessionId],
      key: [key],
      filename: ['a lap.ibt'],
      originalName: ['a lap.ibt'],
      size: [1, 104_857_600, 104_857_601],
    }
    await sendMany(operation, known, ({ url, body, as }) =>
      uploads.call(operation.id, { url, ...userOf(as, driver), ...(body !== undefined && { body }) }),
    )
  })
}

for (const [index, operation] of operationsOf(ingest).entries()) {
  test(`answers any request to ${operation.id} of ingest by its contract`, async () => {
    const worker = await laps.startWorker()
    // Each time a first lap on its own track.
    const file = aFile({ trackId: 1000 + index, trackName: `${operation.id} Ring` })
    const given = await laps.upload.addFile(driver, file)
    const { status, body: saved } = await laps.ingest(driver, given)
    assert.equal(status, 201)
    const track = { sim: 'iracing', track_slug: `${operation.id.toLowerCase()}-ring`, layout: 'default' }
    const url = `/api/tracks/${track.sim}/${track.track_slug}/${track.layout}/corners`
    await until(
      async () => (await laps.call('getTrackCorners', { method: 'GET', url })).status === 200,
      'the corners of the track',
    )
    await worker.close()
    const known: Known = {
      sessionId: [given.sessionId],
      key: [given.key],
      ingestId: [saved.ingest_id],
      lapId: [saved.lap_id],
      sim: [track.sim],
      track_slug: [track.track_slug],
      layout: [track.layout],
      driverNumber: ['1'],
      limit: [1, 50, 1_000_000, -1],
      has_reference: [true],
      reference_allowed: [true],
    }
    await sendMany(operation, known, ({ url, body, as }) =>
      laps.call(operation.id, {
        method: operation.method as 'GET' | 'POST' | 'PATCH' | 'DELETE',
        url,
        ...userOf(as),
        ...(body !== undefined && { body }),
      }),
    )
  })
}

for (const operation of operationsOf(leaderboard)) {
  test(`answers any request to ${operation.id} of leaderboard by its contract`, async () => {
    const standing = aStanding(driver, 90_000)
    const { context_id } = await boards.put(standing)
    const known: Known = {
      ...Object.fromEntries(
        (['sim', 'track_slug', 'layout', 'car_slug'] as const).map(name => [name, [summit[name]]]),
      ),
      track: [summit.track_slug],
      contextId: [context_id],
      lap_id: [standing.complete!.lap_id],
      limit: [1, 50, 1_000_000],
      offset: [0, 1],
      window: [1, 10],
    }
    await sendMany(operation, known, ({ url, body, as }) =>
      operation.method === 'POST'
        ? boards.post(operation.id, url, body, userOf(as).as)
        : boards.get(operation.id, url, userOf(as).as),
    )
  })
}
