/**
 * `make fuzz-api`: runs Schemathesis against identity and account over the network, by their contracts. Fails
 * if an answer violates the contract or is a 5xx.
 */
import { randomInt } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createPrincipalSigner, IDENTITY_HEADER } from '@lapwing/auth'
import { internalKey, publicToken, startAccounts } from '../testing/accounts-stack.ts'
import { type FuzzingProxyOptions, startFuzzingProxy } from './fuzzing-proxy.ts'
import { installSchemathesis, runSchemathesis } from './schemathesis.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    examples: { type: 'string', default: '100' },
  },
})
const rootDir = join(import.meta.dirname, '../../..')
const command = await installSchemathesis(rootDir)
const folder = join(rootDir, '.lapwing/fuzz-api')
mkdirSync(folder, { recursive: true })
/** Calls that end a session. */
const endsSessions = /\/sessions\/revoke|\/passwords\/session\/reset/
const pageOrigin = 'http://localhost:9'
const accounts = await startAccounts({
  pageOrigin,
  withGateway: true,
  logLevel: 'error',
  identity: { TRUSTED_PROXIES: '127.0.0.1' },
})
let isFine = true
try {
  const token = await signUp('fuzz@lapwing.test')
  // The first session must not end.
  const endingToken = await signUp('fuzz.ending@lapwing.test')
  const sign = createPrincipalSigner(new TextEncoder().encode(internalKey))
  const services: readonly (Omit<FuzzingProxyOptions, 'isExpected'> & {
    name: string
    base: string
    expected: readonly number[]
  })[] = [
    {
      name: 'identity',
      base: '',
      url: accounts.identityUrl,
      expected: [],
      // No session, a session and the tool's own header, in turn. Each request has its own address, so that
      // no limit hides other answers.
      headersFor: async (number, path) => ({
        'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
        ...(number % 3 !== 0 && {
          authorization: basic(
            number % 3 === 2 ? publicToken : endsSessions.test(path) ? endingToken : token,
          ),
        }),
      }),
    },
    {
      name: 'account',
      base: '/api',
      url: accounts.accountUrl,
      // Payments are not configured here, which 501 means.
      expected: [501],
      headersFor: async number => ({
        ...(number % 4 !== 0 && {
          [IDENTITY_HEADER]: await sign({
            userId: `user-test-${number % 50}`,
            sessionId: 'session-test-1',
            roles: ['driver'],
          }),
        }),
      }),
    },
  ]
  for (const { name, base, url, expected, headersFor } of services) {
    console.log(`\n${name}, seed ${values.seed}, ${values.examples} examples per operation`)
    const proxy = await startFuzzingProxy({
      url,
      headersFor,
      isExpected: status => expected.includes(status),
    })
    const isConform = await runSchemathesis({
      command,
      folder,
      contract: join(rootDir, 'services/lib/contracts/gen', `${name}.json`),
      url: `${proxy.url}${base}`,
      seed: values.seed,
      examples: values.examples,
    })
    await proxy.close()
    const total = proxy.statuses().reduce((sum, [, count]) => sum + count, 0)
    const byStatus = proxy.statuses().map(([status, count]) => `${status}: ${count}`)
    console.log(`${name}: ${total} requests; ${byStatus.join(', ')}; ${proxy.failed().length} answers of 5xx`)
    for (const what of proxy.failed().slice(0, 20)) console.log(`  ${what}`)
    isFine &&= isConform && proxy.failed().length === 0
  }
} finally {
  await accounts.stop()
}
process.exitCode = isFine ? 0 : 1

async function signUp(email: string): Promise<string> {
  const answer = await fetch(`${accounts.identityUrl}/sdk/v1/passwords`, {
    method: 'POST',
    headers: { authorization: basic(publicToken), 'content-type': 'application/json' },
    body: JSON.stringify({
      email,
      password: 'violet kerb sausage 42',
      session_duration_minutes: 600,
    }),
  })
  const { data } = (await answer.json()) as { data: { session_token: string } }
  return data.session_token
}

function basic(secret: string): string {
  return `Basic ${btoa(`${publicToken}:${secret}`)}`
}
