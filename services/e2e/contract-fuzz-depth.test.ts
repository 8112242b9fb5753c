import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Harness as AccountHarness, harness as accountHarness } from '@lapwing/account/test/harness'
import { createServiceTokenSigner } from '@lapwing/auth'
import account from '@lapwing/contracts/account.json' with { type: 'json' }
import identity from '@lapwing/contracts/identity.json' with { type: 'json' }
import ingest from '@lapwing/contracts/ingest.json' with { type: 'json' }
import internal from '@lapwing/contracts/internal.json' with { type: 'json' }
import leaderboard from '@lapwing/contracts/leaderboard.json' with { type: 'json' }
import preview from '@lapwing/contracts/preview.json' with { type: 'json' }
import upload from '@lapwing/contracts/upload.json' with { type: 'json' }
import {
  type Harness as IdentityHarness,
  harness as identityHarness,
  internalKey,
} from '@lapwing/identity/test/harness'
import { type Harness as IngestHarness, harness as ingestHarness } from '@lapwing/ingest/test/harness'
import { type Harness as BoardsHarness, harness as boardsHarness } from '@lapwing/leaderboard/test/harness'
import { createCall } from '@lapwing/service/testing'
import { type Harness as UploadHarness, harness as uploadHarness } from '@lapwing/upload/test/harness'
import { type Operation, operationsOf } from './contract-fuzz/operations-of.ts'

let accounts: AccountHarness
let sessions: IdentityHarness
let laps: IngestHarness
let boards: BoardsHarness
let uploads: UploadHarness
before(async () => {
  ;[accounts, sessions, laps, boards, uploads] = await Promise.all([
    accountHarness(),
    identityHarness(),
    ingestHarness(),
    boardsHarness(),
    uploadHarness(),
  ])
})
after(() => Promise.all([accounts, sessions, laps, boards, uploads].map(service => service?.close())))

const LEVELS = 33
const body = `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`
const detail = 'The JSON is nested deeper than 32 levels.'

const withBody = (contract: object) => operationsOf(contract).filter(operation => operation.body !== null)
const urlOf = ({ path }: Operation) => path.replace(/\{\w+\}/g, 'x')

const services = {
  account: { contract: account, call: () => accounts.call },
  upload: { contract: upload, call: () => uploads.call },
  ingest: { contract: ingest, call: () => laps.call },
  leaderboard: { contract: leaderboard, call: () => createCall(boards.app, leaderboard) },
} as const

test('leaves out no service: preview accepts no JSON', () => {
  assert.deepEqual(withBody(preview), [])
})

for (const [name, { contract, call }] of Object.entries(services)) {
  for (const operation of withBody(contract)) {
    test(`answers 400 for JSON of 33 levels to ${operation.id} of ${name}`, async () => {
      const { method, id } = operation
      const answer = await call()(id, { method, url: urlOf(operation), as: 'user-test-driver', body })
      assert.deepEqual([answer.status, answer.body.code], [400, `${name}.bad_request`])
      assert.equal(answer.body.detail, detail)
    })
  }
}

for (const operation of withBody(identity)) {
  test(`answers 400 for JSON of 33 levels to ${operation.id} of identity`, async () => {
    const { token } = await signedIn()
    const { method, id } = operation
    const answer = await sessions.call(id, urlOf(operation), { method, as: token, body })
    assert.deepEqual([answer.status, answer.error], [400, 'bad_request'])
    assert.equal(answer.body.error_message, detail)
  })
}

let signingUp: ReturnType<IdentityHarness['signUp']> | undefined
function signedIn(): ReturnType<IdentityHarness['signUp']> {
  signingUp ??= sessions.signUp('deep@example.com')
  return signingUp
}

/** The service of each operation between services with a JSON body. */
const internalServices: Readonly<Record<string, 'ingest' | 'leaderboard'>> = {
  findJudgedSessions: 'ingest',
  putStanding: 'leaderboard',
}

for (const operation of withBody(internal)) {
  test(`answers 400 for JSON of 33 levels to ${operation.id} between services`, async () => {
    const service = internalServices[operation.id]!
    const { app } = service === 'ingest' ? laps : boards
    const token = await createServiceTokenSigner(internalKey, service)()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const { method } = operation
    const answer = await app.inject({ method, url: urlOf(operation), headers, payload: body })
    assert.deepEqual([answer.statusCode, answer.json().code], [400, `${service}.bad_request`])
    assert.equal(answer.json().detail, detail)
  })
}
