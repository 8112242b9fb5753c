import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoApp } from './test/app.ts'

const nested = (depth: number, open: string, inner: string, close: string) =>
  open.repeat(depth) + inner + close.repeat(depth)

for (const [what, body, status] of [
  ['32 lists in each other', nested(32, '[', '1', ']'), 200],
  ['33 lists in each other', nested(33, '[', '1', ']'), 400],
  ['32 objects in each other', nested(32, '{"a":', '1', '}'), 200],
  ['33 objects in each other', nested(33, '{"a":', '1', '}'), 400],
  ['100,000 lists that never end', '['.repeat(60_000), 400],
  ['many lists beside each other', `[${Array(1_000).fill('[[]]').join()}]`, 200],
  ['brackets in a string', JSON.stringify({ a: `"${'['.repeat(1_000)}\\` }), 200],
  ['brackets after a string that ends with a backslash', `["\\\\",${nested(32, '[', '', ']')}]`, 400],
  ['a list that is not closed', '[', 400],
  ['nothing', '', 400],
] as const) {
  test(`answers ${status} to a body with ${what}`, async t => {
    const { app } = demoApp(t)
    app.post('/', async () => ({ ok: true }))
    const answer = await app.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      payload: body,
    })
    assert.equal(answer.statusCode, status)
    if (status === 400) assert.equal(answer.json().code, 'demo.bad_request')
  })
}

test('states in the refusal how deep a body may be', async t => {
  const { app } = demoApp(t)
  app.post('/', async () => ({ ok: true }))
  const answer = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/json' },
    payload: nested(33, '[', '', ']'),
  })
  assert.equal(answer.json().detail, 'The JSON is nested deeper than 32 levels.')
})
