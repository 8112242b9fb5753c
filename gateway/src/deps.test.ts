import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { createLogger } from '@lapwing/http'
import { createDeps } from './deps.ts'
import { routes } from './routes.ts'
import { startGateway } from './test/gateway.ts'
import { fakeUpstream } from './test/upstream.ts'

test('leaves connections to the other routes of a service while drivers wait for their files', async t => {
  const waiting: ServerResponse[] = []
  const allWait = Promise.withResolvers<void>()
  const ingest = await fakeUpstream(t, (request, response) => {
    if (request.method === 'GET') {
      response.end('ok')
      return
    }
    waiting.push(response)
    if (waiting.length === drivers) allWait.resolve()
  })
  const elsewhere = new URL('http://127.0.0.1:1')
  const { upstreams, close } = createDeps(
    {
      previewUrl: elsewhere,
      accounts: null,
      boards: {
        uploadUrl: elsewhere,
        ingestUrl: ingest.url,
        leaderboardUrl: elsewhere,
        objectStorePublicUrl: elsewhere,
      },
      redisUrl: null,
      publicOrigin: elsewhere,
    },
    createLogger('gateway', 'silent'),
  )
  t.after(close)
  const gateway = await startGateway(t, elsewhere, { upstreams, routes: openToAll })

  const answers = Array.from({ length: drivers }, () =>
    fetch(`${gateway.url}/api/laps/ingest-best-from-session`, { method: 'POST' }),
  )
  await allWait.promise
  assert.equal((await fetch(`${gateway.url}/api/laps`)).status, 200)
  for (const response of waiting) response.end('ok')
  for (const answer of answers) assert.equal((await answer).status, 200)
})

/** More than the spare connections of a service. */
const drivers = 200

/** The real routes, but public and without a rate limit. */
const openToAll = routes.map(row => ({
  ...row,
  access: 'public' as const,
  rateLimit: { ...row.rateLimit, max: 10_000 },
}))
