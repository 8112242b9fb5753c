import { type Caller, createCallerVerifier, optionalUser, requireUser } from '@lapwing/auth'
import { createDb } from '@lapwing/db'
import { createDispatcher, type Dispatcher } from '@lapwing/events'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { type BillingProvider, stripeBilling } from './billing/billing-provider.ts'
import type { Config } from './config.ts'
import type { Database } from './database.ts'

/** All that the handlers use of the world. */
export interface Deps {
  readonly db: Kysely<Database>
  readonly caller: (request: FastifyRequest) => Promise<Caller>
  readonly maybeCaller: (request: FastifyRequest) => Promise<Caller | null>
  readonly events: Pick<Dispatcher, 'wake'>
  readonly billing: BillingProvider | null
  readonly now: () => Date
}

export function createDeps(config: Config, logger: Logger): Deps & { close(): Promise<void> } {
  const key = new TextEncoder().encode(config.internalKey)
  const db = createDb<Database>({
    url: config.databaseUrl.href,
    schema: 'account',
    poolSize: config.poolSize,
    onIdleError: error => logger.warn({ err: error }, 'a database connection was lost'),
  })
  const events = createDispatcher({
    db: db as never,
    subscribers: [{ name: 'identity', url: config.identityUrl }],
    key,
    logger,
  })
  const verify = createCallerVerifier(key)
  return {
    db,
    caller: requireUser('account', verify),
    maybeCaller: optionalUser(verify),
    events,
    billing:
      config.stripeKey === ''
        ? null
        : stripeBilling({
            secretKey: config.stripeKey,
            prices: { pro: config.stripePricePro, team: config.stripePriceTeam },
            publicOrigin: config.publicOrigin,
          }),
    now: () => new Date(),
    async close() {
      await events.close()
      await db.destroy()
    },
  }
}
