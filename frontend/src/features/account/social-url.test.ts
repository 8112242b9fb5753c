import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount } from '#testing/an-account.ts'
import { addingUrl, signInUrl } from './social-url.ts'

const back = 'https://lapwing.test/authenticate'

test('leads the browser back to /authenticate after a sign-in at a provider', async () => {
  const url = new URL(await signInUrl(anAccount().account, 'discord'))
  assert.equal(url.pathname, '/v1/public/oauth/discord/start')
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    public_token: 'public-token-test-1',
    login_redirect_url: back,
    signup_redirect_url: back,
  })
})

test('adds to the start address what adds the provider’s account to the driver', async () => {
  const { account, identity } = anAccount()
  const { searchParams } = new URL(await addingUrl(account, 'google'))
  const call = identity.calls.find(({ path }) => path === '/oauth/attach')
  assert.deepEqual(call?.body, { provider: 'google' })
  assert.match(searchParams.get('oauth_attach_token')!, /^attach-test-/)
  assert.equal(searchParams.get('login_redirect_url'), back)
})
