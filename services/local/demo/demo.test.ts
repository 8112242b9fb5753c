import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createPrincipalSigner, IDENTITY_HEADER } from '@lapwing/auth'
import { openSecrets } from '@lapwing/config/secrets'
import { decodeReference } from '@lapwing/telemetry/compare'
import { isDemoName } from '@lapwing/usernames/demo-name'
import { stack } from '../stack.ts'
import { type RunningStack, startStack } from '../start-stack.ts'
import { demoBoards } from './boards.ts'
import { connectDemo } from './connect-demo.ts'
import { clearBoards, type Demo, fillBoards } from './fill-boards.ts'

const rootDir = join(import.meta.dirname, '../../..')
/** The services that store data of a driver, and the parts they need. */
const parts = stack.filter(({ name }) =>
  ['postgres', 'valkey', 'object-store', 'upload', 'ingest', 'ingest-worker', 'leaderboard'].includes(name),
)
const boards = demoBoards.map(board => ({ ...board, drivers: 3 }))
const options = { seed: 3, now: new Date('2026-06-01T12:00:00Z') }

let dataDir: string
let running: RunningStack
let demo: Demo
let sign: ReturnType<typeof createPrincipalSigner>

before(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'lapwing-demo-'))
  running = await startStack({
    parts,
    rootDir,
    dataDir,
    publicPort: 0,
    publicHost: '127.0.0.1',
    env: { ...process.env, LOG_LEVEL: 'warn' },
    say: () => {},
  })
  await running.late
  demo = { dataDir, client: await connectDemo(dataDir), say: () => {} }
  const internalKey = openSecrets(join(dataDir, 'secrets.json'))('INTERNAL_KEY')
  sign = createPrincipalSigner(new TextEncoder().encode(internalKey))
})

after(async () => {
  await running?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function ask(url: string, accept = 'application/json'): Promise<Response> {
  const token = await sign({ userId: 'a newcomer', sessionId: 'session-newcomer', roles: [] })
  return fetch(url, { headers: { [IDENTITY_HEADER]: token, accept } })
}

interface Row {
  readonly lap_id: string
  readonly display_name: string
}

interface Listed {
  readonly slug: string
  readonly layout: string
  readonly label: string
}

/** Returns the rows of every board, by the labels of its track and car. */
async function readBoards(): Promise<Map<string, readonly Row[]>> {
  const { leaderboard } = running.urls
  const found = new Map<string, readonly Row[]>()
  const { tracks } = (await (await ask(`${leaderboard}/api/leaderboards/tracks`)).json()) as {
    tracks: Listed[]
  }
  for (const { slug, layout, label } of tracks) {
    const address = `${leaderboard}/api/leaderboards/tracks/${slug}/cars?layout=${layout}`
    const { cars } = (await (await ask(address)).json()) as { cars: Listed[] }
    for (const car of cars) {
      const query = new URLSearchParams({ sim: 'iracing', track_slug: slug, layout, car_slug: car.slug })
      const page = (await (await ask(`${leaderboard}/api/leaderboards?${query}`)).json()) as { rows: Row[] }
      found.set(`${label}: ${car.label}`, page.rows)
    }
  }
  return found
}

const expected = boards
  .map(
    ({ trackDisplayName, trackConfigName, carScreenName }) =>
      `${trackDisplayName}, ${trackConfigName}: ${carScreenName}`,
  )
  .sort()

test('fills every board with demo drivers, each with a lap that can be a reference', async () => {
  await fillBoards(demo, boards, options)
  const found = await readBoards()
  assert.deepEqual([...found.keys()].sort(), expected)
  for (const [name, rows] of found) {
    assert.equal(rows.length, 3, name)
    for (const { display_name, lap_id } of rows) {
      assert.ok(isDemoName(display_name), display_name)
      const answer = await ask(
        `${running.urls.ingest}/api/laps/${lap_id}/reference`,
        'application/x-protobuf',
      )
      assert.equal(answer.status, 200)
      const { track } = decodeReference(new Uint8Array(await answer.arrayBuffer()))
      assert.ok(track.speed !== undefined && track.throttle !== undefined)
      // Where a real circuit lies is unknown to the demo, and must not be invented.
      assert.equal(track.lat !== undefined, name.startsWith('Greywater'), name)
    }
  }
})

test('replaces the demo drivers of an earlier call', async () => {
  const before = new Set([...(await readBoards()).values()].flat().map(row => row.lap_id))
  await fillBoards(demo, boards, options)
  const rows = [...(await readBoards()).values()].flat()
  assert.equal(rows.length, 3 * boards.length)
  assert.ok(rows.every(row => !before.has(row.lap_id)))
})

test('removes all demo drivers of an interrupted call', async () => {
  let left = 5
  const client: Demo['client'] = {
    ...demo.client,
    async uploadFile(userId, file) {
      if (left-- <= 0) throw new Error('cut off')
      return demo.client.uploadFile(userId, file)
    },
  }
  await assert.rejects(fillBoards({ ...demo, client }, boards, options), /cut off/)
  assert.ok([...(await readBoards()).values()].flat().length > 0)
  assert.ok((await clearBoards(demo)) > 0)
  assert.deepEqual([...(await readBoards()).values()].flat(), [])
  assert.equal(await clearBoards(demo), 0)
})

test('reports laps that are refused because drivers agreed where their track lies', async () => {
  const lines: string[] = []
  let given = 0
  const client: Demo['client'] = { ...demo.client, uploadFile: async () => ++given % 3 !== 0 }
  await fillBoards({ ...demo, client, say: line => lines.push(line) }, boards, options)
  const refused = Math.floor(given / 3)
  assert.ok(refused > 0)
  assert.ok(
    lines.includes(
      `${refused} demo laps were refused: drivers agreed on the track's location, and demo laps have none.`,
    ),
  )
  const listed = [...lines.at(-1)!.matchAll(/: (\d+)$/gm)].map(([, laps]) => Number(laps))
  assert.equal(listed.length, boards.length)
  assert.equal(
    listed.reduce((sum, laps) => sum + laps, 0),
    given - refused,
  )
  await clearBoards(demo)
})

test('prints one sentence if Lapwing does not run', () => {
  const empty = mkdtempSync(join(tmpdir(), 'lapwing-demo-'))
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      env: { ...process.env, DATA_DIR: empty },
      encoding: 'utf8',
      timeout: 30_000,
    })
    assert.equal(status, 1)
    assert.equal(
      stdout + stderr,
      'Lapwing does not run from this folder. Start it with `make run`, then run this command again.\n',
    )
  } finally {
    rmSync(empty, { recursive: true, force: true })
  }
})
