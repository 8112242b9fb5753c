import assert from 'node:assert/strict'
import { type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import contract from '@lapwing/contracts/gateway.json' with { type: 'json' }
import { metricsText } from '@lapwing/metrics'
import { checkAnswer } from '@lapwing/testing/check-answer.ts'
import { until } from '@lapwing/testing/until.ts'
import type { Deps } from '../app.ts'
import { folderOf, startGateway } from '../test/gateway.ts'
import { closedPort, fakeUpstream } from '../test/upstream.ts'

const KEY = 'very-secret-key'
const PICTURE = Buffer.from('a picture')

const picture = (headers: Readonly<Record<string, string>> = {}): RequestListener => {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png', ...headers }).end(PICTURE)
  }
}

/** Starts a gateway whose satellite pictures come from a server that answers so. */
async function startTiles(
  t: TestContext,
  answer: RequestListener,
  { env, ...deps }: { env?: Record<string, string> } & Partial<Deps> = {},
) {
  const source = await fakeUpstream(t, answer)
  const gateway = await startGateway(t, source.url, { env: { ...envOf(source.url), ...env }, ...deps })
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${gateway.url}/tiles/${path}`, { headers })
  return { ...gateway, source, get }
}

const envOf = (source: URL) => ({
  MAP_STREET: 'none',
  MAP_SATELLITE: `${source.href}sat/{z}/{y}/{x}.png?key={key}`,
  MAP_SATELLITE_KEY: KEY,
  MAP_SATELLITE_PROXY: 'true',
  MAP_SATELLITE_ATTRIBUTION: '© Example',
  MAP_SATELLITE_MAX_ZOOM: '18',
})

/** Checks an answer against the contract. */
async function checked(response: Response) {
  const answer = {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  }
  checkAnswer(contract, 'getTile', answer)
  return answer
}

test('adds the key of a source on the way to it, and shows it in no answer, configuration or log', async t => {
  const { app, source, get, logs } = await startTiles(t, picture({ 'x-key': KEY, 'set-cookie': `k=${KEY}` }))
  const answer = await checked(await get('satellite/3/4/5', { cookie: 'a=b', authorization: 'Bearer x' }))
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['content-type'], 'image/png')
  assert.equal(answer.body, PICTURE.toString())
  assert.equal(source.received[0]!.url, `/sat/3/5/4.png?key=${KEY}`)
  const { headers } = source.received[0]!
  assert.deepEqual(
    [headers.cookie, headers.authorization, headers['x-forwarded-for']],
    [undefined, undefined, undefined],
  )
  assert.equal(headers.referer, 'http://localhost:8080/')
  assert.match(headers['user-agent']!, /^Lapwing\/development \(\+http:\/\/localhost:8080\)$/)

  const config = await app.inject('/config.json')
  checkAnswer(contract, 'getPageConfig', config)
  assert.equal(config.json().mapSources.satellite.tiles, '/tiles/satellite/{z}/{x}/{y}')
  assert.doesNotMatch(String(config.headers['content-security-policy']), /https?:/)
  const everything = JSON.stringify([answer.headers, config.headers, config.body, logs])
  assert.ok(!everything.includes(KEY))
  assert.ok(!everything.includes(source.url.host))
})

for (const path of [
  '19/0/0',
  '3/8/0',
  '3/0/8',
  '-1/0/0',
  '3/-1/0',
  '03/1/1',
  '3/1.5/1',
  '3/1/1.png',
  '3/1e0/1',
  '3/99999999999/1',
  '1e9/1/1',
  '1000000000/1/1',
  '3/1%20/1',
  'a/b/c',
]) {
  test(`rejects the tile ${path}, and asks no source`, async t => {
    const { get, source } = await startTiles(t, picture())
    const answer = await checked(await get(`satellite/${path}`))
    assert.equal(answer.statusCode, 400)
    assert.equal(JSON.parse(answer.body).code, 'gateway.tile_out_of_range')
    assert.equal(source.received.length, 0)
  })
}

for (const path of [
  '/tiles/satellite/3/../../../internal',
  '/tiles/satellite/3/%2e%2e/1',
  '/tiles/satellite/3/1/1%2f..%2f..',
  '/tiles/satellite/3/1/..%5c1',
  '/tiles/satellite/3/1/1%00',
  '/tiles/satellite/3/1/%zz',
  '/tiles/satellite%2f3/1/1',
  '/tiles//satellite/3/1/1',
  '/tiles/http://127.0.0.1:1/3/1/1',
]) {
  // `fetch` would resolve the dots itself.
  test(`answers no tile at ${path}, and asks no source`, async t => {
    const { url, source } = await startTiles(t, picture())
    const status = await new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(url)
      request({ hostname, port, path }, response => resolve(response.resume().statusCode!))
        .once('error', reject)
        .end()
    })
    assert.ok(status === 400 || status === 404, `${status}`)
    assert.equal(source.received.length, 0)
  })
}

test('passes nothing on that a client adds to the address of a tile', async t => {
  const { get, source } = await startTiles(t, picture())
  assert.equal((await get('satellite/3/4/5?key=stolen&z=9#x')).status, 200)
  assert.equal(source.received[0]!.url, `/sat/3/5/4.png?key=${KEY}`)
})

test('serves the last tile of the highest zoom', async t => {
  const { get } = await startTiles(t, picture())
  assert.equal((await get(`satellite/18/${2 ** 18 - 1}/${2 ** 18 - 1}`)).status, 200)
})

test('knows only the sources that the operator lets pass, and only GET and HEAD', async t => {
  const { url, get, source } = await startTiles(t, picture())
  for (const path of [
    'street/1/0/0',
    'terrain/1/0/0',
    'satellite/1/0',
    'satellite/1/0/0/0',
    'http:%5c%5cx/1/0/0',
  ]) {
    const answer = await checked(await get(path))
    assert.ok([400, 404].includes(answer.statusCode), path)
  }
  assert.equal(source.received.length, 0)
  const post = await checked(await fetch(`${url}/tiles/satellite/1/0/0`, { method: 'POST' }))
  assert.equal(post.statusCode, 405)
  assert.equal(post.headers.allow, 'GET, HEAD')
  assert.equal((await fetch(`${url}/tiles/satellite/1/0/0`, { method: 'HEAD' })).status, 200)
})

for (const [what, env] of [
  ['no source passes through the gateway', { MAP_SATELLITE_PROXY: 'false', MAP_SATELLITE_KEY: '' }],
  ['maps are off', { PAGE_MAPS: 'false' }],
] as const) {
  test(`has no route of tiles if ${what}`, async t => {
    const source = await fakeUpstream(t, picture())
    const folder = await folderOf(t, { 'index.html': '<!doctype html>the page' })
    const { app } = await startGateway(t, source.url, {
      folder,
      env: {
        ...envOf(source.url),
        MAP_SATELLITE: `${source.url.href}sat/{z}/{x}/{y}`,
        MAP_SATELLITE_KEY: '',
        ...env,
      },
    })
    assert.equal((await app.inject('/tiles/satellite/1/0/0')).body, '<!doctype html>the page')
    assert.equal(source.received.length, 0)
  })
}

const misses: readonly (readonly [string, RequestListener, string])[] = [
  ['has no tile (404)', (_, response) => response.writeHead(404).end(), 'absent'],
  ['answers 204', (_, response) => response.writeHead(204).end(), 'absent'],
  [
    'answers an empty picture',
    (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(),
    'absent',
  ],
  ['refuses the key (403)', (_, response) => response.writeHead(403).end(`bad key ${KEY}`), 'refused'],
  ['has had too many requests (429)', (_, response) => response.writeHead(429).end(), 'refused'],
  ['confirms a copy that nobody has (304)', (_, response) => response.writeHead(304).end(), 'failed'],
  ['fails (500)', (_, response) => response.writeHead(500).end('x'.repeat(1_000_000)), 'failed'],
  [
    'answers with a page',
    (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<script>alert(1)</script>'),
    'no_picture',
  ],
  [
    'answers with SVG, which can run scripts',
    (_, response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg/>'),
    'no_picture',
  ],
  [
    'compresses what nobody asked it to',
    (_, response) =>
      response.writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'gzip' }).end('x'),
    'no_picture',
  ],
  [
    'answers with ten megabytes',
    (_, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(10 * 1024 * 1024)),
    'too_large',
  ],
  [
    'ends in the middle of a picture',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': 100 }).write('half')
      setImmediate(() => response.destroy())
    },
    'failed',
  ],
  ['never answers', () => {}, 'timed_out'],
  [
    'never ends its answer',
    (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).write('begin'),
    'timed_out',
  ],
]

for (const [what, answer, outcome] of misses) {
  test(`answers 204, which nobody stores, if the source ${what}`, async t => {
    // The answers of the other rows may take longer on a busy machine.
    const tileLimits = outcome === 'timed_out' ? { timeoutMs: 300 } : {}
    const { get, logs } = await startTiles(t, answer, { tileLimits })
    for (let i = 0; i < 2; i++) {
      const { statusCode, headers, body } = await checked(await get('satellite/1/0/1'))
      assert.deepEqual([statusCode, headers['cache-control'], body], [204, 'no-store', ''])
    }
    // Once for all tiles.
    const warnings = logs.filter(line => 'outcome' in line).map(line => line.outcome)
    assert.deepEqual(warnings, outcome === 'absent' ? [] : [outcome])
    assert.ok(!JSON.stringify(logs).includes(KEY))
  })
}

test('answers 204 if the source cannot be reached', async t => {
  const away = await closedPort()
  const { url } = await startGateway(t, away, { env: envOf(away) })
  assert.equal((await fetch(`${url}/tiles/satellite/1/0/0`)).status, 204)
})

test('warns once if a source fails now and then', async t => {
  let requests = 0
  const { get, logs } = await startTiles(t, (request, response) =>
    requests++ % 2 === 0 ? response.writeHead(500).end() : picture()(request, response),
  )
  for (const status of [204, 200, 204, 200]) assert.equal((await get('satellite/1/0/0')).status, status)
  assert.equal(logs.filter(line => 'outcome' in line).length, 1)
})

test('follows no redirect of a source', async t => {
  const elsewhere = await fakeUpstream(t, picture())
  const { get } = await startTiles(t, (_, response) =>
    response.writeHead(302, { location: `${elsewhere.url.href}internal` }).end(),
  )
  assert.equal((await get('satellite/1/0/0')).status, 204)
  assert.equal(elsewhere.received.length, 0)
})

for (const [what, headers, env, requests] of [
  ['stores a tile as long as its source allows', { 'cache-control': 'max-age=60' }, {}, 1],
  ['stores no tile that its source forbids to store', { 'cache-control': 'no-store' }, {}, 2],
  ['stores no tile that is for one browser alone', { 'cache-control': 'private, max-age=60' }, {}, 2],
  ['asks again for a tile without a lifetime', {}, {}, 2],
  ['asks again for a tile whose lifetime is over', { 'cache-control': 'max-age=60', age: '90' }, {}, 2],
  [
    'stores nothing of a source without a cache',
    { 'cache-control': 'max-age=60' },
    { MAP_SATELLITE_CACHE: 'none' },
    2,
  ],
] as const) {
  test(what, async t => {
    const { get, source } = await startTiles(t, picture(headers), { env: { ...env } })
    for (let i = 0; i < 2; i++) {
      const answer = await get('satellite/1/0/0')
      assert.equal(await answer.text(), PICTURE.toString())
      assert.equal(
        answer.headers.get('cache-control'),
        'cache-control' in headers ? headers['cache-control'] : 'no-cache',
      )
    }
    assert.equal(source.received.length, requests)
  })
}

test('says how old a stored tile is, so that a browser does not keep it longer', async t => {
  const { get } = await startTiles(t, picture({ 'cache-control': 'max-age=60', age: '20' }))
  await get('satellite/1/0/0')
  assert.ok(Number((await get('satellite/1/0/0')).headers.get('age')) >= 20)
})

test('asks a source whether a stored tile is current, and keeps its bytes', async t => {
  const { get, source } = await startTiles(t, (request, response) => {
    if (request.headers['if-none-match'] === '"v1"') response.writeHead(304, { etag: '"v1"' }).end()
    else picture({ etag: '"v1"', 'cache-control': 'no-cache' })(request, response)
  })
  for (let i = 0; i < 3; i++) assert.equal(await (await get('satellite/1/0/0')).text(), PICTURE.toString())
  assert.deepEqual(
    source.received.map(({ headers }) => headers['if-none-match']),
    [undefined, '"v1"', '"v1"'],
  )
})

test('answers 304 to a browser that has the stored tile', async t => {
  const modified = 'Sat, 28 Nov 2026 10:00:00 GMT'
  const { get, source } = await startTiles(
    t,
    picture({ etag: '"v1"', 'last-modified': modified, 'cache-control': 'max-age=60' }),
  )
  await get('satellite/1/0/0')
  for (const [headers, status] of [
    [{ 'if-none-match': '"v1"' }, 304],
    [{ 'if-none-match': '"v2"' }, 200],
    [{ 'if-none-match': '"v2"', 'if-modified-since': modified }, 200],
    [{ 'if-modified-since': modified }, 304],
    [{ 'if-modified-since': 'Fri, 27 Nov 2026 10:00:00 GMT' }, 200],
  ] as const) {
    const answer = await checked(await get('satellite/1/0/0', headers))
    assert.equal(answer.statusCode, status, JSON.stringify(headers))
    assert.equal(answer.headers.etag, '"v1"')
  }
  assert.equal(source.received.length, 1)
})

test('passes the condition of a browser on if nothing is stored', async t => {
  const { get, source } = await startTiles(
    t,
    (request, response) =>
      request.headers['if-none-match'] === '"v1"'
        ? response.writeHead(304, { etag: '"v1"', 'cache-control': 'max-age=5' }).end()
        : picture()(request, response),
    { env: { MAP_SATELLITE_CACHE: 'none' } },
  )
  const answer = await checked(await get('satellite/1/0/0', { 'if-none-match': '"v1"' }))
  assert.deepEqual(
    [answer.statusCode, answer.headers.etag, answer.headers['cache-control']],
    [304, '"v1"', 'max-age=5'],
  )
  assert.equal((await get('satellite/1/0/0', { 'if-none-match': 'no tag' })).status, 200)
  assert.equal(source.received[1]!.headers['if-none-match'], undefined)
  const since = 'Sun, 29 Nov 2026 12:00:00 GMT'
  await get('satellite/1/0/0', { 'if-modified-since': `${since} (${'any text '.repeat(200)})` })
  await get('satellite/1/0/0', { 'if-modified-since': 'no date' })
  assert.deepEqual(
    source.received.slice(2).map(({ headers }) => headers['if-modified-since']),
    [since, undefined],
  )
})

test('counts tiles by their source and outcome', async t => {
  const { get } = await startTiles(t, picture({ 'cache-control': 'max-age=60' }))
  const count = async (outcome: string) => {
    const found = new RegExp(`lapwing_tiles_total\\{source="satellite",outcome="${outcome}"[^}]*\\} (\\d+)`)
    return Number(found.exec(await metricsText())?.[1] ?? 0)
  }
  const before = [await count('picture'), await count('stored')]
  for (let i = 0; i < 3; i++) await get('satellite/1/0/0')
  assert.deepEqual([await count('picture'), await count('stored')], [before[0]! + 1, before[1]! + 2])
})

test('evicts the least used tile when the memory for tiles is full', async t => {
  const { get, source } = await startTiles(t, picture({ 'cache-control': 'max-age=60' }), {
    tileLimits: { storedBytes: 5_000 },
  })
  for (const path of ['0/0/0', '1/0/0', '1/0/1', '1/0/1', '0/0/0']) await get(`satellite/${path}`)
  assert.equal(source.received.length, 4)
})

test('counts the headers of stored tiles, too', async t => {
  const headers = { 'cache-control': 'max-age=60', 'x-long': 'x'.repeat(4_000) }
  const { get, source } = await startTiles(t, picture(headers), { tileLimits: { storedBytes: 10_000 } })
  for (const path of ['0/0/0', '1/0/0', '0/0/0']) await get(`satellite/${path}`)
  assert.equal(source.received.length, 3)
})

/** A source that answers only when the test lets it. */
function slowSource() {
  const open: ServerResponse[] = []
  let left = 0
  return {
    open,
    left: () => left,
    listener(_request: IncomingMessage, response: ServerResponse) {
      open.push(response)
      response.once('close', () => {
        if (!response.writableFinished) left++
      })
    },
    answer: () => open.shift()!.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE),
  }
}

test('sends at most six requests to a source at the same time; the others wait for their turn', async t => {
  const slow = slowSource()
  const { get, source } = await startTiles(t, slow.listener)
  const answers = Array.from({ length: 9 }, (_, x) => get(`satellite/9/${x}/0`))
  await until(() => slow.open.length === 6)
  for (let done = 1; done <= answers.length; done++) {
    slow.answer()
    await until(() => source.received.length === Math.min(answers.length, 6 + done))
    assert.ok(slow.open.length <= 6)
  }
  for (const answer of answers) assert.equal((await answer).status, 200)
})

test('sends one request for a tile that several clients want at the same time', async t => {
  const slow = slowSource()
  const { get, source } = await startTiles(t, (request, response) => {
    response.setHeader('cache-control', 'max-age=60')
    slow.listener(request, response)
  })
  const answers = [0, 1, 2].map(() => get('satellite/9/0/0'))
  await until(() => slow.open.length === 1)
  // Another tile gets an answer meanwhile, so those of the same tile wait for the first one.
  const other = get('satellite/9/1/0')
  await until(() => slow.open.length === 2)
  slow.answer()
  slow.answer()
  for (const answer of [...answers, other]) {
    assert.equal(await (await answer).text(), PICTURE.toString())
  }
  assert.equal(source.received.length, 2)
})

test('does not share a tile that its source gives to one client alone', async t => {
  const slow = slowSource()
  const { get, source } = await startTiles(t, (request, response) => {
    response.setHeader('cache-control', 'private, max-age=60')
    slow.listener(request, response)
  })
  const answers = [0, 1].map(() => get('satellite/9/0/0'))
  await until(() => slow.open.length > 0)
  slow.answer()
  await until(() => slow.open.length > 0)
  slow.answer()
  for (const answer of answers) assert.equal((await answer).status, 200)
  assert.equal(source.received.length, 2)
})

test('sends no more requests to a source than its daily budget, and says so once', async t => {
  const { get, source, logs } = await startTiles(t, picture({ 'cache-control': 'max-age=60' }), {
    env: { MAP_SATELLITE_DAILY: '2' },
  })
  const statuses: number[] = []
  for (const path of ['9/0/0', '9/1/0', '9/2/0', '9/0/0', '9/3/0']) {
    statuses.push((await checked(await get(`satellite/${path}`))).statusCode)
  }
  // A stored tile costs nothing.
  assert.deepEqual(statuses, [200, 200, 204, 200, 204])
  assert.equal(source.received.length, 2)
  assert.deepEqual(
    logs.filter(line => 'outcome' in line).map(line => line.outcome),
    ['over_budget'],
  )
})

test('answers 503 to a tile whose turn does not come', async t => {
  const slow = slowSource()
  const { get, source } = await startTiles(t, slow.listener, { tileLimits: { connections: 1, waitMs: 100 } })
  const first = get('satellite/9/0/0')
  await until(() => slow.open.length === 1)
  const answer = await checked(await get('satellite/9/1/0'))
  assert.equal(answer.statusCode, 503)
  assert.equal(JSON.parse(answer.body).code, 'gateway.overloaded')
  slow.answer()
  assert.equal((await first).status, 200)
  // The one that gave up is never sent.
  const next = get('satellite/9/2/0')
  await until(() => slow.open.length === 1)
  slow.answer()
  assert.equal((await next).status, 200)
  assert.deepEqual(
    source.received.map(({ url }) => url),
    [`/sat/9/0/0.png?key=${KEY}`, `/sat/9/0/2.png?key=${KEY}`],
  )
})

test('stops the request to a source when the client leaves, and drops those that wait', async t => {
  const slow = slowSource()
  const { url, source, get } = await startTiles(t, slow.listener, { tileLimits: { connections: 1 } })
  const client = new AbortController()
  const answers = [0, 1].map(x =>
    fetch(`${url}/tiles/satellite/9/${x}/0`, { signal: client.signal }).catch(() => 'left'),
  )
  await until(() => slow.open.length === 1)
  client.abort()
  assert.deepEqual(await Promise.all(answers), ['left', 'left'])
  await until(() => slow.left() === 1)
  slow.open.length = 0
  const next = get('satellite/9/5/0')
  await until(() => slow.open.length === 1)
  slow.answer()
  assert.equal((await next).status, 200)
  assert.equal(source.received.length, 2)
})

test('lets one network hold its share of the requests in progress, and no more', async t => {
  const slow = slowSource()
  const { get } = await startTiles(t, slow.listener, { tileLimits: { share: 2 } })
  const held = [0, 1].map(x => get(`satellite/9/${x}/0`))
  await until(() => slow.open.length === 2)
  const answer = await checked(await get('satellite/9/2/0'))
  assert.equal(answer.statusCode, 429)
  slow.answer()
  slow.answer()
  for (const each of held) assert.equal((await each).status, 200)
})

test('bounds the pictures that clients have not read yet', async t => {
  const { get } = await startTiles(
    t,
    (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(20_000)),
    { tileLimits: { unreadBytesPerClient: 10_000 } },
  )
  assert.equal((await checked(await get('satellite/9/0/0'))).statusCode, 429)
})

test('limits how often one network asks for tiles', async t => {
  const { get } = await startTiles(t, picture(), {
    tileLimits: { rateLimit: { budget: 'tiles', max: 1, windowMs: 60_000 } },
  })
  assert.equal((await get('satellite/9/0/0')).status, 200)
  assert.equal((await checked(await get('satellite/9/1/0'))).statusCode, 429)
})

test('closes its connections with the gateway', async t => {
  const { app, get, source } = await startTiles(t, picture())
  await get('satellite/9/0/0')
  const open = () =>
    new Promise<number>(resolve => source.server.getConnections((_, count) => resolve(count)))
  assert.equal(await open(), 1)
  await app.close()
  await until(async () => (await open()) === 0)
})
