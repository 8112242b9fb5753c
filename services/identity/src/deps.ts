import { availableParallelism } from 'node:os'
import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/identity'
import { openDatabase } from '@lapwing/service'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { type Cipher, createCipher } from './crypto/cipher.ts'
import type { Database, Db } from './database.ts'
import { createReadClient, type ReadClient } from './http/client.ts'
import { createKeyStore, type KeyStore } from './keys/key-store.ts'
import { createKnownOrigins, type KnownOrigins } from './limits/known-origins.ts'
import { createLimits, type Limits } from './limits/limits.ts'
import { createEnqueueMail, type EnqueueMail } from './mail/mail-outbox.ts'
import { createMailSender, createSmtpDelivery } from './mail/mail-sender.ts'
import type { OutboxSender } from './outbox/outbox-sender.ts'
import { createPasswordHasher, type PasswordHasher } from './passwords/password-hasher.ts'
import { createPasswordStrength, type PasswordStrength } from './passwords/password-strength.ts'
import { type AnswerSession, createAnswerSession, createAnswerSignIn } from './sessions/answer-session.ts'
import { createRevocations, type Revocations } from './sessions/revocations.ts'
import { createTextRefusals, type TextRefusals } from './texts/refusals.ts'
import { createTextDelivery } from './texts/text-delivery.ts'
import { createEnqueueText, type EnqueueText } from './texts/text-outbox.ts'
import { createTextSender, noTextSender } from './texts/text-sender.ts'
import { createRunWork, type RunWork } from './work.ts'

/** The handler of an operation of the contract, by its id. */
export type HandlerOf<Id extends keyof operations> = Handlers<operations>[Id]

/** The dependencies of the handlers. */
export interface Deps {
  readonly settings: Config
  readonly db: Db
  /** Runs a change in a transaction; see `work.ts`. */
  readonly change: RunWork
  readonly readClient: ReadClient
  /** Answers with a session that already exists. */
  readonly answerSession: AnswerSession
  /** Answers with a session that a person has just opened; see `sessions/answer-session.ts`. */
  readonly answerSignIn: AnswerSession
  readonly origins: KnownOrigins
  readonly keys: KeyStore
  readonly cipher: Cipher
  readonly limits: Limits
  readonly hasher: PasswordHasher
  readonly strength: PasswordStrength
  readonly enqueueMail: EnqueueMail
  readonly mailSender: Pick<OutboxSender, 'wake'>
  readonly enqueueText: EnqueueText
  readonly textSender: Pick<OutboxSender, 'wake'>
  readonly refusals: TextRefusals
  readonly revocations: Revocations
  /** Key that the gateway and all services share. */
  readonly internalKey: Uint8Array
  /** Addresses whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  readonly logger: Logger
  readonly now: () => Date
}

export async function createDeps(config: Config, logger: Logger): Promise<Deps & { close(): Promise<void> }> {
  const now = () => new Date()
  const db: Db = openDatabase<Database>('identity', config, logger, { prepare: true })
  const cipher = createCipher(config.keyEncryptionKey)
  const revocations = createRevocations({ redisUrl: config.redisUrl, db, now, logger })
  const smtp = createSmtpDelivery(config.smtpUrl, config.mailFrom)
  const mailSender = createMailSender({ db, cipher, deliver: smtp.deliver, now, logger })
  const refusals = createTextRefusals({ db, cipher, now })
  const { provider } = config.texts
  const textSender =
    provider === null
      ? noTextSender
      : createTextSender({
          db,
          cipher,
          deliver: createTextDelivery({ db, provider, refusals }),
          now,
          logger,
        })
  const keys = createKeyStore({ db, cipher, now })
  const answerSession = createAnswerSession({ ...config, keys })
  const origins = createKnownOrigins({ db, cipher, now })
  return {
    settings: config,
    db,
    change: createRunWork({ db, revocations, secondFactor: config.secondFactor, now }),
    readClient: createReadClient(config),
    answerSession,
    answerSignIn: createAnswerSignIn({ ...config, answerSession, origins }),
    origins,
    keys,
    cipher,
    limits: createLimits({
      db,
      cipher,
      now,
      newAccountsPerHour: config.newAccountsPerHour,
      texts: config.texts.limits,
    }),
    hasher: await createPasswordHasher({
      memoryKib: config.argon2MemoryKib,
      passes: config.argon2Passes,
      concurrency: config.hashConcurrency === 0 ? availableParallelism() : config.hashConcurrency,
      maxWaitMs: config.hashWaitMs,
    }),
    strength: createPasswordStrength({ minScore: config.passwordMinScore }),
    enqueueMail: createEnqueueMail({ cipher, projectName: config.projectName }),
    mailSender,
    enqueueText: createEnqueueText({ cipher }),
    textSender,
    refusals,
    revocations,
    internalKey: config.internalKey,
    trustedProxies: config.trustedProxies,
    logger,
    now,
    async close() {
      await Promise.all([mailSender.close(), textSender.close()])
      smtp.close()
      await revocations.close()
      await db.destroy()
    },
  }
}
