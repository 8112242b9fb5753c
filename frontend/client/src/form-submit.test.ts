import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aClient } from '../../src/testing/a-client.ts'
import { submitForm } from './form-submit.ts'

test('posts hidden fields, with the headers of the protocol among them', async () => {
  const { client } = aClient({ baseUrl: 'https://id.lapwing.test', sessionToken: () => 'opaque' })
  const form = {
    method: '',
    action: '',
    fields: [] as { type: string; name: string; value: string }[],
    isSent: false,
    append: (field: { type: string; name: string; value: string }) => void form.fields.push(field),
    submit() {
      form.isSent = true
    },
    remove() {},
  }
  const document = {
    createElement: (tag: string) => (tag === 'form' ? form : { type: '', name: '', value: '' }),
    body: { append() {} },
  }
  const body = { client_id: 'app', scopes: ['openid'], state: undefined }
  await submitForm(client, '/idp/oauth/authorize/submit', body, document as unknown as Document)
  assert.equal(form.method, 'POST')
  assert.equal(form.action, 'https://id.lapwing.test/sdk/v1/idp/oauth/authorize/submit')
  const [id, scopes, authorization, sdk, host] = form.fields
  assert.ok(form.fields.every(({ type }) => type === 'hidden'))
  assert.deepEqual([id?.name, id?.value], ['client_id', 'app'])
  assert.deepEqual([scopes?.name, scopes?.value], ['scopes', '["openid"]'])
  assert.deepEqual(
    [authorization?.name, authorization?.value],
    ['__Authorization', `Basic ${btoa('public-token-test-1:opaque')}`],
  )
  assert.equal(sdk?.name, '__X-SDK-Client')
  assert.deepEqual([host?.name, host?.value], ['__X-SDK-Parent-Host', 'https://lapwing.test'])
  assert.equal(form.isSent, true)
})
