import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fastify } from 'fastify'
import { forbidCaching } from './forbid-caching.ts'

test('forbids caches to store an answer, unless its handler sets a header', async () => {
  const app = fastify()
  forbidCaching(app)
  app.get('/me', async () => 'mine')
  app.get('/keys', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send('all'),
  )
  const kept = async (url: string) => (await app.inject({ url })).headers['cache-control']
  assert.equal(await kept('/me'), 'no-store')
  assert.equal(await kept('/keys'), 'public, max-age=300')
})
