import assert from 'node:assert/strict'
import { join } from 'node:path'
import contract from '@lapwing/contracts/identity.json' with { type: 'json' }
import { createCall, internalKey, silentLogger as logger, migratedDatabase } from '@lapwing/service/testing'
import type { TestDatabase } from '@lapwing/testing/test-database.ts'
import type { FastifyInstance } from 'fastify'
import { service } from '../app.ts'
import { loadConfig } from '../config.ts'
import { createCipher } from '../crypto/cipher.ts'
import type { Database, Db } from '../database.ts'
import type { Deps } from '../deps.ts'
import { errorTypes } from '../errors.ts'
import { createReadClient } from '../http/client.ts'
import { createKeyStore } from '../keys/key-store.ts'
import { createKnownOrigins } from '../limits/known-origins.ts'
import { createLimits } from '../limits/limits.ts'
import { createEnqueueMail, mailLabel, type OutgoingMail } from '../mail/mail-outbox.ts'
import { createPasswordHasher } from '../passwords/password-hasher.ts'
import { createPasswordStrength } from '../passwords/password-strength.ts'
import { createAnswerSession, createAnswerSignIn } from '../sessions/answer-session.ts'
import { createRevocations } from '../sessions/revocations.ts'
import { createTextRefusals } from '../texts/refusals.ts'
import { createEnqueueText, type OutgoingText, textLabel } from '../texts/text-outbox.ts'
import { createRunWork } from '../work.ts'

export const publicToken = 'public-token-live-lapwing'
export const origin = 'https://lapwing.test'
export { internalKey } from '@lapwing/service/testing'

export interface Harness {
  readonly app: FastifyInstance
  readonly db: Db
  readonly deps: Deps
  readonly databaseUrl: string
  /** Calls an operation and checks the answer against the contract. */
  call(operationId: string, url: string, options?: CallOptions): Promise<Reply>
  /** Creates an account and returns its session token and ids. */
  signUp(email: string, password?: string): Promise<SignedIn>
  /** Returns the mails in the outbox for that address, oldest first. */
  mailsTo(address: string): Promise<readonly (OutgoingMail & { readonly kind: string })[]>
  /** Returns the texts in the outbox for that number, oldest first. */
  textsTo(number: string): Promise<readonly (OutgoingText & { readonly kind: string })[]>
  /** Moves the service's clock forward. */
  advance(ms: number): void
  now(): Date
  close(): Promise<void>
}

export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Session token. Undefined for an anonymous call. */
  readonly as?: string
  /** Sent as JSON. A string is sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly ip?: string
}

export interface Reply {
  readonly status: number
  readonly body: Json
  /** The `data` of a successful answer. */
  readonly data: Json
  /** The `error_type` of a failure. */
  readonly error: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
}

// biome-ignore lint/suspicious/noExplicitAny: the contract check proves the shape of an answer.
type Json = any

export interface SignedIn {
  readonly token: string
  readonly jwt: string
  readonly userId: string
  readonly sessionId: string
  readonly emailId: string
}

/** A password that every rule accepts. */
export const goodPassword = 'violet kerb sausage 42'

/** Starts the service with a migrated database, by default its own, and with a clock that tests move. */
export async function harness(
  changes: Partial<Deps> = {},
  env: Record<string, string> = {},
  ownDatabase?: TestDatabase,
): Promise<Harness> {
  const { db, database, close } = await migratedDatabase<Database>(
    'identity',
    join(import.meta.dirname, '../../migrations'),
    { prepare: true },
    ownDatabase,
  )
  const settings = loadConfig({
    DATABASE_URL: database.url,
    SMTP_URL: 'smtp://127.0.0.1:1',
    PUBLIC_ORIGIN: origin,
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    INTERNAL_KEY: new TextDecoder().decode(internalKey),
    TEXT_API_URL: 'http://127.0.0.1:1/texts',
    TEXT_API_CREDENTIALS: 'lapwing:secret',
    SMS_SENDER: '+12015550123',
    WHATSAPP_SENDER: '+12015550123',
    TEXT_COUNTRIES: 'US,DE',
    TRUSTED_PROXIES: '127.0.0.1',
    ...env,
  })
  let at = new Date('2026-03-01T12:00:00Z')
  const now = () => at
  const cipher = createCipher(settings.keyEncryptionKey)
  const keys = createKeyStore({ db, cipher, now })
  const answerSession = createAnswerSession({ ...settings, keys })
  const origins = createKnownOrigins({ db, cipher, now })
  const revocations = createRevocations({ redisUrl: settings.redisUrl, db, now, logger })
  const deps: Deps = {
    settings,
    db,
    change: createRunWork({ db, revocations, secondFactor: settings.secondFactor, now }),
    readClient: createReadClient(settings),
    answerSession,
    answerSignIn: createAnswerSignIn({ ...settings, answerSession, origins }),
    origins,
    keys,
    cipher,
    limits: createLimits({
      db,
      cipher,
      now,
      newAccountsPerHour: settings.newAccountsPerHour,
      texts: settings.texts.limits,
    }),
    // Cheap on purpose: the tests check behaviour, not the strength of hashes.
    hasher: await createPasswordHasher({ memoryKib: 64, passes: 1, concurrency: 2, maxWaitMs: 60_000 }),
    strength: await sharedStrength(),
    enqueueMail: createEnqueueMail({ cipher, projectName: settings.projectName }),
    mailSender: { wake: () => {} },
    enqueueText: createEnqueueText({ cipher }),
    textSender: { wake: () => {} },
    refusals: createTextRefusals({ db, cipher, now }),
    revocations,
    internalKey,
    trustedProxies: settings.trustedProxies,
    logger,
    now,
    ...changes,
  }
  const app = service.build(deps)
  const callService = createCall(app, contract)

  async function call(operationId: string, url: string, options: CallOptions = {}): Promise<Reply> {
    const { method = 'POST', as = publicToken, body, headers, ip = newAddress() } = options
    const answer = await callService(operationId, {
      method,
      url,
      body,
      headers: {
        authorization: `Basic ${Buffer.from(`${publicToken}:${as}`).toString('base64')}`,
        'content-type': 'application/json',
        // The test process is the trusted proxy.
        'x-forwarded-for': ip,
        ...headers,
      },
    })
    const parsed = answer.body
    if (parsed.error_type !== undefined) {
      const known = errorTypes[parsed.error_type as keyof typeof errorTypes]
      assert.equal(known?.status, answer.status, `${parsed.error_type} is not in the table with that status`)
      assert.equal(parsed.status_code, answer.status)
    }
    return {
      status: answer.status,
      body: parsed,
      data: parsed.data,
      error: parsed.error_type,
      headers: answer.headers,
    }
  }

  /** Opens the messages of an outbox that go to this address or number. Sent ones are empty. */
  function opened<Message extends { readonly to: string }>(
    rows: readonly { readonly id: string; readonly kind: string; readonly content_sealed: Buffer | null }[],
    labelOf: (id: string) => string,
    to: string,
  ): (Message & { readonly kind: string })[] {
    return rows
      .flatMap(({ id, kind, content_sealed: sealed }) =>
        sealed === null ? [] : [{ kind, ...(JSON.parse(cipher.open(sealed, labelOf(id))) as Message) }],
      )
      .filter(message => message.to === to)
  }

  return {
    app,
    db,
    deps,
    databaseUrl: database.url,
    call,
    async signUp(email, password = goodPassword) {
      const { status, body, data } = await call('createPassword', '/sdk/v1/passwords', {
        body: { email, password, session_duration_minutes: 60 },
      })
      assert.equal(status, 200, JSON.stringify(body))
      return {
        token: data.session_token,
        jwt: data.session_jwt,
        userId: data.user_id,
        sessionId: data.session.session_id,
        emailId: data.email_id,
      }
    },
    async mailsTo(address) {
      const rows = db.selectFrom('mail_outbox').select(['mail_id as id', 'kind', 'content_sealed'])
      return opened<OutgoingMail>(await rows.orderBy('created_at').execute(), mailLabel, address)
    },
    async textsTo(number) {
      const rows = db.selectFrom('text_outbox').select(['text_id as id', 'kind', 'content_sealed'])
      return opened<OutgoingText>(await rows.orderBy('created_at').execute(), textLabel, number)
    },
    advance(ms) {
      at = new Date(at.getTime() + ms)
    },
    now,
    async close() {
      await app.close()
      await revocations.close()
      await close()
    },
  }
}

/**
 * Returns a network address that no other call of the test used, so that a test reaches limits only on
 * purpose.
 */
function newAddress(): string {
  addresses++
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}

let addresses = 0
let strength: ReturnType<typeof createPasswordStrength> | undefined

async function sharedStrength() {
  strength ??= createPasswordStrength({ minScore: 2 })
  return strength
}

/** Returns the first link of a mail. */
export function linkIn(mail: { readonly text: string }): URL {
  const found = /https:\/\/\S+/.exec(mail.text)?.[0]
  assert.ok(found, 'the mail has a link')
  return new URL(found)
}
