import { createPrincipalVerifier, type RequirePrincipal, requireUser } from '@lapwing/auth'
import { createDb, type DbOptions } from '@lapwing/db'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'

/** The dependencies that the handlers of every service with a database share. */
export interface BaseDeps<Schema> {
  readonly db: Kysely<Schema>
  /** Returns the signed-in account. Throws `<service>.unauthorized` without one. */
  readonly requirePrincipal: RequirePrincipal
  /** Key that signs and verifies the calls between services. */
  readonly internalKey: Uint8Array
  readonly logger: Logger
  readonly now: () => Date
}

type Given<Schema> = Pick<BaseDeps<Schema>, 'db' | 'internalKey' | 'logger'>

export function createBaseDeps<Schema>(service: string, given: Given<Schema>): BaseDeps<Schema> {
  return {
    ...given,
    requirePrincipal: requireUser(service, createPrincipalVerifier(given.internalKey)),
    now: () => new Date(),
  }
}

/** Opens the connection pool of the service's own schema. */
export function openDatabase<Schema>(
  service: string,
  config: { readonly databaseUrl: URL; readonly poolSize: number },
  logger: Logger,
  options: Pick<DbOptions, 'connectWithinMs' | 'prepare'> = {},
): Kysely<Schema> {
  return createDb<Schema>({
    url: config.databaseUrl.href,
    schema: service,
    poolSize: config.poolSize,
    onIdleError: error => logger.warn({ err: error }, 'a database connection was lost'),
    ...options,
  })
}
