import { join } from 'node:path'
import { startValkey } from '@lapwing/dev-servers/valkey'
import { stack } from '@lapwing/local/stack'
import { type RunningStack, type StackOptions, startStack } from '@lapwing/local/start-stack'
import { migratedDatabase } from './migrated-database.ts'

/**
 * The part of Lapwing behind the page: its gateway alone, with the preview, with accounts, or all services. A
 * missing part has an address that refuses connections, so that a request to it fails the test.
 */
export type Reach = 'page' | 'preview' | 'accounts' | 'everything'

/**
 * Starts only this part of the stack, because each further process costs half a second. Its database is on the server
 * of the test run.
 */
export async function startPartOfStack({ reach, ...options }: PartOfStackOptions): Promise<RunningStack> {
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const close of closers.toReversed()) await close()
  }
  try {
    const names = partsOf[reach]
    const parts = stack
      .filter(({ name }) => names.includes(name))
      // The tables are created here instead of by one process each. Only the demo app is registered by one.
      .map(part => ({
        ...part,
        before: part.before?.filter(isOfDemoApp) ?? [],
        needs: part.needs.filter(need => names.includes(need)),
      }))
    const valkey = await startValkey({
      dir: join(options.dataDir, 'valkey'),
      toolsDir: join(options.rootDir, '.tools'),
      throwaway: true,
    })
    closers.push(() => valkey.stop())
    const services = databasesOf[reach]
    const database = services.length === 0 ? null : await migratedDatabase(services)
    closers.push(() => database?.drop())
    const databaseOf = (part: string) => {
      const service = part === 'ingest-worker' ? 'ingest' : part
      return database && services.includes(service) && { DATABASE_URL: database.urlOf(service) }
    }
    const { overrides } = options
    const running = await startStack({
      ...options,
      parts,
      env: {
        ...options.env,
        REDIS_URL: valkey.url,
        ...(database && { DATABASE_URL: database.ownerUrl }),
      },
      overrides: Object.fromEntries(
        parts.map(({ name }) => [
          name,
          {
            ...databaseOf(name),
            ...(name === 'identity' && cheapHash),
            ...(name === 'gateway' && gatewayOf[reach]),
            ...overrides?.[name],
          },
        ]),
      ),
    })
    return {
      ...running,
      async stop() {
        await running.stop()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

export interface PartOfStackOptions extends Omit<StackOptions, 'parts'> {
  readonly reach: Reach
}

function isOfDemoApp(command: string): boolean {
  return command.includes('/demo-app/')
}

/** The servers of a data folder would take as long to start as four services. */
const everything = stack
  .map(({ name }) => name)
  .filter(name => !['postgres', 'valkey', 'demo-app'].includes(name))

const partsOf: Readonly<Record<Reach, readonly string[]>> = {
  page: ['gateway'],
  preview: ['preview', 'gateway'],
  accounts: ['mailbox', 'providers', 'demo-app', 'identity', 'account', 'gateway'],
  everything,
}

/** The services with tables. */
const databasesOf: Readonly<Record<Reach, readonly string[]>> = {
  page: [],
  preview: [],
  accounts: ['identity', 'account'],
  everything: ['identity', 'account', 'upload', 'ingest', 'leaderboard'],
}

/** An address where no server listens. */
const nowhere = 'http://127.0.0.1:1'
const withoutPreview = { PREVIEW_URL: nowhere }
const withoutAccounts = { ACCOUNT_URL: nowhere, IDENTITY_URL: nowhere }
const withoutBoards = {
  UPLOAD_URL: nowhere,
  INGEST_URL: nowhere,
  LEADERBOARD_URL: nowhere,
  S3_PUBLIC_ENDPOINT: nowhere,
}

/** The gateway's variables. Tests of map pictures name a fake server instead of the public one. */
const gatewayOf: Readonly<Record<Reach, Readonly<Record<string, string>>>> = {
  page: { MAP_STREET: 'none', ...withoutBoards, ...withoutPreview, ...withoutAccounts },
  preview: { MAP_STREET: 'none', ...withoutBoards, ...withoutAccounts },
  accounts: { MAP_STREET: 'none', ...withoutBoards, ...withoutPreview },
  everything: { MAP_STREET: 'none' },
}

/** The tests check what a person sees, not the strength of a hash. */
const cheapHash = { ARGON2_MEMORY_KIB: '64', ARGON2_PASSES: '1' }
