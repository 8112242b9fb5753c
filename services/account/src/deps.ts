import { createPrincipalVerifier, optionalUser, type Principal } from '@lapwing/auth'
import type { operations } from '@lapwing/contracts/account'
import type { Handlers } from '@lapwing/contracts/bind'
import { createDispatcher, type Dispatcher, type Subscriber } from '@lapwing/events'
import { type BaseDeps, createBaseDeps, openDatabase } from '@lapwing/service'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type BillingProvider, stripeBilling } from './billing/billing-provider.ts'
import type { Config } from './config.ts'
import type { Database } from './database.ts'
import { createPublish, type Publish, type SubscriberName } from './subscribers.ts'

/** The handler of an operation of the contract, by its id. */
export type HandlerOf<Id extends keyof operations> = Handlers<operations>[Id]

/** The dependencies of the handlers. */
export interface Deps extends BaseDeps<Database> {
  /** Returns the signed-in account, or null for an anonymous caller. */
  readonly findPrincipal: (request: FastifyRequest) => Promise<Principal | null>
  readonly publish: Publish
  readonly events: Pick<Dispatcher, 'wake'>
  /** Names of the services that receive events. */
  readonly subscribers: readonly SubscriberName[]
  /** Null if billing is not configured. */
  readonly billing: BillingProvider | null
}

export function createDeps(config: Config, logger: Logger): Deps & { close(): Promise<void> } {
  const { internalKey } = config
  const db = openDatabase<Database>('account', config, logger)
  const base = createBaseDeps('account', { db, internalKey, logger })
  const addresses = subscribersIn(config)
  const subscribers = addresses.map(({ name }) => name)
  const events = createDispatcher({ db: db as never, subscribers: addresses, key: internalKey, logger })
  return {
    ...base,
    findPrincipal: optionalUser(createPrincipalVerifier(internalKey)),
    publish: createPublish(subscribers, base.now),
    events,
    subscribers,
    billing:
      config.stripeKey === ''
        ? null
        : stripeBilling({
            secretKey: config.stripeKey,
            prices: { pro: config.stripePricePro, team: config.stripePriceTeam },
            publicOrigin: config.publicOrigin,
          }),
    async close() {
      await events.close()
      await db.destroy()
    },
  }
}

/** Returns the services that receive events, with their addresses. */
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
