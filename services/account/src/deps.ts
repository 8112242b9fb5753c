import { createPrincipalVerifier, optionalUser, type Principal, requireUser } from '@lapwing/auth'
import { createDb } from '@lapwing/db'
import { createDispatcher, type Dispatcher, type Subscriber } from '@lapwing/events'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { type BillingProvider, stripeBilling } from './billing/billing-provider.ts'
import type { Config } from './config.ts'
import type { Database } from './database.ts'
import { createPublish, type Publish, type SubscriberName } from './subscribers.ts'

/** All that the handlers use of the world. */
export interface Deps {
  readonly db: Kysely<Database>
  readonly requirePrincipal: (request: FastifyRequest) => Promise<Principal>
  readonly findPrincipal: (request: FastifyRequest) => Promise<Principal | null>
  readonly publish: Publish
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
  const now = () => new Date()
  const subscribers = subscribersIn(config)
  const events = createDispatcher({
    db: db as never,
    subscribers,
    key,
    logger,
  })
  const verify = createPrincipalVerifier(key)
  return {
    db,
    requirePrincipal: requireUser('account', verify),
    findPrincipal: optionalUser(verify),
    publish: createPublish(
      subscribers.map(({ name }) => name),
      now,
    ),
    events,
    billing:
      config.stripeKey === ''
        ? null
        : stripeBilling({
            secretKey: config.stripeKey,
            prices: { pro: config.stripePricePro, team: config.stripePriceTeam },
            publicOrigin: config.publicOrigin,
          }),
    now,
    async close() {
      await events.close()
      await db.destroy()
    },
  }
}

/** Where each service takes events, of those that do. */
export function subscribersIn(
  config: Pick<Config, 'identityHosted' | `${SubscriberName}Url`>,
): readonly (Subscriber & { readonly name: SubscriberName })[] {
  const addresses = {
    identity: config.identityHosted ? null : config.identityUrl,
    leaderboard: config.leaderboardUrl,
    upload: config.uploadUrl,
    ingest: config.ingestUrl,
  } satisfies Record<SubscriberName, URL | null>
  return (Object.keys(addresses) as SubscriberName[]).flatMap(name => {
    const url = addresses[name]
    return url === null ? [] : [{ name, url }]
  })
}
