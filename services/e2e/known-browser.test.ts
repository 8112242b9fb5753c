import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type RunningValkey, startValkey } from '@lapwing/dev-servers/valkey'
import { newEmail } from './accounts.ts'
import { type Accounts, publicToken, startAccounts } from './testing/accounts-stack.ts'
import { linkIn } from './testing/mails.ts'

const password = 'four wet tyres in the rain'
const dir = mkdtempSync(join(tmpdir(), 'lapwing-known-browser-'))
const toolsDir = join(import.meta.dirname, '../../.tools')

let redis: RunningValkey
let accounts: Accounts

before(async () => {
  redis = await startValkey({ dir, toolsDir, throwaway: true })
  const env = { TRUSTED_PROXIES: '127.0.0.1' }
  accounts = await startAccounts({
    pageOrigin: 'http://localhost:9',
    withGateway: true,
    identity: env,
    gateway: { ...env, REDIS_URL: redis.url },
  })
})
after(async () => {
  await accounts?.stop()
  await redis?.stop()
  rmSync(dir, { recursive: true, force: true })
})

/** Calls identity through the gateway from a network, with the browser's cookie if one is given. */
async function call(path: string, body: object, { ip, cookie }: { ip: string; cookie?: string }) {
  const answer = await fetch(`${accounts.gatewayUrl}/sdk/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${publicToken}:${publicToken}`)}`,
      'content-type': 'application/json',
      'x-forwarded-for': ip,
      ...(cookie !== undefined && { cookie }),
    },
    body: JSON.stringify({ session_duration_minutes: 60, ...body }),
  })
  await answer.arrayBuffer()
  return { status: answer.status, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] }
}

/** Calls until the limit refuses. A busy machine may need several windows. */
async function useUp(ask: () => Promise<{ readonly status: number }>): Promise<void> {
  let { status } = await ask()
  while (status !== 429) ({ status } = await ask())
}

for (const [when, index] of [
  ['', 0],
  [' while Redis is away', 1],
] as const) {
  test(`lets a known browser sign in and reset its password after others on its network used up all tries${when}`, async () => {
    if (index === 1) await redis.kill()
    const email = `shared.${index}@lapwing.test`
    const ip = `203.0.113.${index}`
    const { status, cookie } = await call('/passwords', { email, password }, { ip })
    assert.equal(status, 200)
    assert.match(cookie!, /lapwing-browser=/)
    const browser = { ip, cookie: cookie! }

    const signIn = (typed: string, from: { ip: string; cookie?: string }) =>
      call('/passwords/authenticate', { email, password: typed }, from)
    await useUp(() => signIn('wrong password', { ip }))
    assert.equal((await signIn(password, browser)).status, 200)

    const start = (to: string, from: { ip: string; cookie?: string }) =>
      call('/passwords/email/reset/start', { email: to }, from)
    await useUp(() => start(newEmail(), { ip }))
    assert.equal((await start(email, browser)).status, 200)
    const token = linkIn(await accounts.mailTo(email)).searchParams.get('token')
    const reset = (shown: string | null, from: { ip: string; cookie?: string }) =>
      call('/passwords/email/reset', { token: shown, password: 'a better rain tyre 99' }, from)
    await useUp(() => reset('made up', { ip }))
    assert.equal((await reset(token, browser)).status, 200)
  })
}
