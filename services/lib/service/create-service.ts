import { createServiceTokenVerifier } from '@lapwing/auth'
import { type BindOptions, bindContract, type Contract, type Handlers } from '@lapwing/contracts/bind'
import type { operations as InternalOperations } from '@lapwing/contracts/internal'
import internalContract from '@lapwing/contracts/internal.json' with { type: 'json' }
import { isUnavailable } from '@lapwing/db'
import { type EventHandlers, receiveEvents } from '@lapwing/events'
import {
  AppError,
  type AppOptions,
  addHealth,
  allowOnly,
  createApp,
  createLogger,
  type ErrorTable,
  type HealthChecks,
  type HealthOptions,
  keepNoAnswer,
  type Running,
  runService,
} from '@lapwing/http'
import { RedisUnavailable } from '@lapwing/redis'
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'

type Env = Readonly<Record<string, string | undefined>>
type RunConfig = Running['config'] & { readonly logLevel: string }
interface Closable {
  close(): Promise<void>
}

/** What the shell itself uses of a service's dependencies. */
export interface ServiceDeps {
  readonly logger: Logger
  // biome-ignore lint/suspicious/noExplicitAny: the shell knows no table.
  readonly db?: Kysely<any>
  readonly internalKey?: Uint8Array
  /** Addresses of the gateway, whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[]
}

/** A service in the order in which its process starts: config, deps, app, background work. */
export interface ServiceDefinition<Config extends RunConfig, Deps extends ServiceDeps, Operations> {
  /** Name of the service, its schema, and the first part of its error codes. */
  readonly name: string
  /** Reads the configuration. Throws a `ConfigError` with every problem. */
  readonly config: (env: Env) => Config
  /** Opens what the handlers use. `close` is called last, after the background work has ended. */
  readonly deps: (config: Config, logger: Logger) => (Deps & Closable) | Promise<Deps & Closable>
  /** Left out by a process that answers only for its health. */
  readonly contract?: Contract
  readonly handlers?: (deps: Deps) => Handlers<Operations>
  /** Handlers of the operations of `openapi/internal.yaml` with this service's tag. */
  readonly internal?: (deps: Deps) => Partial<Handlers<InternalOperations>>
  // biome-ignore lint/suspicious/noExplicitAny: the shell knows no table.
  readonly events?: (deps: Deps) => EventHandlers<any>
  /** The service's own codes; the common ones are in `@lapwing/http`. */
  readonly errors: ErrorTable
  /** Checks of `/readyz` beside the database's, and what it only shows. */
  readonly health?: (deps: Deps) => { readonly checks?: HealthChecks } & Pick<HealthOptions, 'shown'>
  readonly app?: (deps: Deps) => Omit<AppOptions, 'service' | 'errors' | 'logger' | 'isUnavailable'>
  /** Adds plugins, parsers and hooks. */
  readonly plugins?: (app: FastifyInstance, deps: Deps) => void
  /** How the contract is bound, once the plugins are there. */
  readonly binding?: (deps: Deps, app: FastifyInstance) => Pick<BindOptions, 'routes' | 'exactAddresses'>
  /** Called when the process is told to stop, before it waits for requests under way. */
  readonly drain?: (deps: Deps) => void
  /** Starts work that no request asks for. */
  readonly background?: (deps: Deps, config: Config) => Closable
}

export interface Service<Config, Deps> {
  /** Returns the app, which does not listen yet. Closing it leaves `deps` open. */
  build(deps: Deps): FastifyInstance
  /** Opens the deps, and returns the app with its background work; closing it closes all. */
  start(config: Config, logger: Logger): Promise<FastifyInstance>
  /** Runs the process until it is told to stop; see `runService`. */
  run(): Promise<void>
}

/** Puts a service together. Every service starts, answers, refuses and stops in the same order. */
export function createService<Config extends RunConfig, Deps extends ServiceDeps, Operations>(
  service: ServiceDefinition<Config, Deps, Operations>,
): Service<Config, Deps> {
  const { name } = service

  function build(deps: Deps): FastifyInstance {
    const app = createApp({
      service: name,
      errors: service.errors,
      logger: deps.logger,
      bodyLimit: 16 * 1024,
      ...(deps.db !== undefined && { isUnavailable: isAway }),
      ...(deps.trustedProxies !== undefined && { trustProxy: deps.trustedProxies }),
      ...service.app?.(deps),
    })
    const { checks, shown = {} } = service.health?.(deps) ?? {}
    addHealth(app, { ...databaseCheck(deps), ...checks }, { shown })
    keepNoAnswer(app)
    service.plugins?.(app, deps)
    app.addHook('preClose', async () => service.drain?.(deps))
    // After the plugins, so that routes have their hooks.
    app.after(() => {
      if (service.contract !== undefined && service.handlers !== undefined) {
        bindContract(app, service.contract, service.handlers(deps), {
          ...service.binding?.(deps, app),
          onAddress: (url, methods) => allowOnly(app, name, url, methods),
        })
      }
      addInternal(app, deps)
    })
    return app
  }

  function addInternal(app: FastifyInstance, deps: Deps): void {
    const { db, internalKey: key } = deps
    if (key === undefined) return
    const verify = createServiceTokenVerifier(key, name)
    bindContract(app, internalContract, (service.internal?.(deps) ?? {}) as object, {
      exactAddresses: true,
      tag: name,
      everyRoute: {
        async onRequest(request) {
          if (!(await verify(request.headers.authorization))) throw new AppError(`${name}.unauthorized`)
        },
      },
    })
    const handlers = service.events?.(deps)
    if (handlers !== undefined && db !== undefined) receiveEvents(app, { db, key, handlers })
  }

  async function start(config: Config, logger: Logger): Promise<FastifyInstance> {
    const deps = await service.deps(config, logger)
    const app = build(deps)
    const background = service.background?.(deps, config)
    app.addHook('onClose', async () => {
      await background?.close()
      await deps.close()
    })
    return app
  }

  const run = () =>
    runService(async () => {
      const config = service.config(process.env)
      return { app: await start(config, createLogger(name, config.logLevel)), config }
    })

  return { build, start, run }
}

function isAway(error: unknown): boolean {
  return isUnavailable(error) || error instanceof RedisUnavailable
}

function databaseCheck({ db }: ServiceDeps): HealthChecks {
  if (db === undefined) return {}
  return {
    database: async () => {
      await sql`select 1`.execute(db)
      return true
    },
  }
}
