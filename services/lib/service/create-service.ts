import { createServiceTokenVerifier } from '@lapwing/auth'
import { type BindOptions, bindContract, type Contract, type Handlers } from '@lapwing/contracts/bind'
import type { operations as InternalOperations } from '@lapwing/contracts/internal'
import internalContract from '@lapwing/contracts/internal.json' with { type: 'json' }
import { createSchemaCheck, isUnavailable } from '@lapwing/db'
import { type EventHandlers, receiveEvents } from '@lapwing/events'
import {
  AppError,
  type AppOptions,
  addHealth,
  allowOnly,
  createApp,
  createLogger,
  type ErrorTable,
  forbidCaching,
  type HealthChecks,
  type HealthOptions,
  type ListenConfig,
  runService,
} from '@lapwing/http'
import { type Level, watchLevels } from '@lapwing/metrics'
import { RedisUnavailable } from '@lapwing/redis'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'

type Env = Readonly<Record<string, string | undefined>>
type RunConfig = ListenConfig & { readonly logLevel: string }
interface Closable {
  close(): Promise<void>
}

/** The dependencies of a service that the shell itself uses. */
export interface ServiceDeps {
  readonly logger: Logger
  // biome-ignore lint/suspicious/noExplicitAny: the shell knows no table.
  readonly db?: Kysely<any>
  readonly internalKey?: Uint8Array
  /** Addresses of the gateway. The app trusts their `X-Forwarded-For`. */
  readonly trustedProxies?: readonly string[]
}

/** The parts of a service, in the order in which its process starts: config, deps, app, background work. */
export interface ServiceDefinition<Config extends RunConfig, Deps extends ServiceDeps, Operations> {
  /** Name of the service, its schema, and the first part of its error codes. */
  readonly name: string
  /** Reads the configuration. Throws a `ConfigError` with every problem. */
  readonly config: (env: Env) => Config
  /** Opens the dependencies of the handlers. `close` is called last, after the background work has ended. */
  readonly deps: (config: Config, logger: Logger) => (Deps & Closable) | Promise<Deps & Closable>
  /** Undefined for a process that answers only health checks. */
  readonly contract?: Contract
  readonly handlers?: (deps: Deps) => Handlers<Operations>
  /** Handlers of the operations of `openapi/internal.yaml` with this service's tag. */
  readonly internal?: (deps: Deps) => Partial<Handlers<InternalOperations>>
  // biome-ignore lint/suspicious/noExplicitAny: the shell knows no table.
  readonly events?: (deps: Deps) => EventHandlers<any>
  /** The service's own error codes; the common ones are in `@lapwing/http`. */
  readonly errors: ErrorTable
  /** Absolute path of the migrations that `/readyz` requires. Undefined for a process without a schema. */
  readonly migrations?: string
  /** `checks`: what `/readyz` requires beside the database. `shown`: what it shows without requiring it. */
  readonly health?: (deps: Deps) => { readonly checks?: HealthChecks } & Pick<HealthOptions, 'shown'>
  /** Values for `/metrics` that are read when they are scraped. */
  readonly levels?: (deps: Deps) => readonly Level[]
  readonly app?: (deps: Deps) => Omit<AppOptions, 'service' | 'errors' | 'logger' | 'isUnavailable'>
  /** Adds plugins, parsers and hooks. */
  readonly plugins?: (app: FastifyInstance, deps: Deps) => void
  /** Returns the options of `bindContract`. Called after the plugins are added. */
  readonly binding?: (deps: Deps, app: FastifyInstance) => Pick<BindOptions, 'routes' | 'exactAddresses'>
  /** Called when the app closes, before it waits for running requests. */
  readonly drain?: (deps: Deps) => void
  /** Starts work that runs beside requests, such as sweeps. */
  readonly background?: (deps: Deps, config: Config) => Closable
}

export interface Service<Config, Deps> {
  /** Returns the app, which does not listen yet. Closing the app leaves `deps` open. */
  build(deps: Deps): FastifyInstance
  /** Opens the deps and returns the app with its background work. Closing the app closes both. */
  start(config: Config, logger: Logger): Promise<FastifyInstance>
  /** Runs the process until it receives a signal to stop; see `runService`. */
  run(): Promise<void>
}

/** Creates a service from its parts. Every service starts, answers, rejects and stops in the same order. */
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
    addHealth(app, { ...databaseCheck(deps, service.migrations), ...checks }, { shown })
    forbidCaching(app)
    service.plugins?.(app, deps)
    app.addHook('preClose', async () => {
      service.drain?.(deps)
    })
    // After the plugins, so that their hooks run for the routes. Asynchronous, so that an error rejects
    // `ready`.
    app.after(async () => {
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
    const removeLevels = watchLevels(service.levels?.(deps) ?? [])
    app.addHook('onClose', async () => {
      removeLevels()
      await background?.close()
      await deps.close()
    })
    return app
  }

  const run = () =>
    runService({
      name,
      loadConfig: service.config,
      start: config => start(config, createLogger(name, config.logLevel)),
    })

  return { build, start, run }
}

function isAway(error: unknown): boolean {
  return isUnavailable(error) || error instanceof RedisUnavailable
}

function databaseCheck({ db }: ServiceDeps, migrations: string | undefined): HealthChecks {
  if (db === undefined || migrations === undefined) return {}
  return { database: createSchemaCheck(db, migrations) }
}
