import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { paths } from '@lapwing/contracts/gateway'
import { createApiClient } from './api-client.ts'
import { ApiError } from './problem.ts'

const baseUrl = 'http://lapwing.test'

test('calls the contract’s path and returns its data', async () => {
  const config = { preview: 'browser', maps: true, version: '1.0.0', identity: null }
  const seen: string[] = []
  const client = createApiClient<paths>({
    baseUrl,
    fetch: async request => {
      seen.push(`${request.method} ${request.url}`)
      return Response.json(config)
    },
  })
  const { data } = await client.GET('/config.json')
  assert.deepEqual(data, config)
  assert.deepEqual(seen, ['GET http://lapwing.test/config.json'])
})

test('throws an answer that is not OK with its code and its sentence', async () => {
  const problem = { status: 503, title: 't', detail: 'Try again soon.', code: 'gateway.upstream_unavailable' }
  const client = createApiClient<paths>({
    baseUrl,
    fetch: async () =>
      new Response(JSON.stringify(problem), {
        status: 503,
        headers: { 'content-type': 'application/problem+json' },
      }),
  })
  await assert.rejects(client.GET('/config.json'), error => {
    assert.ok(error instanceof ApiError)
    assert.deepEqual(
      [error.status, error.code, error.message],
      [503, 'gateway.upstream_unavailable', 'Try again soon.'],
    )
    return true
  })
})
