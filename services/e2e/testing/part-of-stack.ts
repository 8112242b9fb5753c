import { join } from 'node:path'
import { startValkey } from '@lapwing/dev-servers/valkey'
import { stack } from '@lapwing/local/stack'
import { type RunningStack, type StackOptions, startStack } from '@lapwing/local/start-stack'
import { migratedDatabase } from './migrated-database.ts'

/**
 * The part of Lapwing behind the page: its gateway alone, with the preview, with accounts, or everything that
 * `make run` starts. A missing part has an address that refuses connections, so that a request to it fails the test.
 */
export type Reach = 'page' | 'preview' | 'accounts' | 'everything'

/** Starts only this part of the stack, because each further process costs half a second. */
export async function startPartOfStack({ reach, ...options }: PartOfStackOptions): Promise<RunningStack> {
  if (reach === 'everything') return startStack({ ...options, parts: stack })
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const close of closers.toReversed()) await close()
  }
  try {
    const names = partsOf[reach]
    const parts = stack
      .filter(({ name }) => names.includes(name))
      // The tables are created here instead of by one process each.
      .map(part => ({ ...part, before: [], needs: part.needs.filter(need => names.includes(need)) }))
    const valkey = await startValkey({
      dir: join(options.dataDir, 'valkey'),
      toolsDir: join(options.rootDir, '.tools'),
      throwaway: true,
    })
    closers.push(() => valkey.stop())
    const database = reach !== 'accounts' ? null : await migratedDatabase(['identity', 'account'])
    closers.push(() => database?.drop())
    const { overrides } = options
    const running = await startStack({
      ...options,
      parts,
      env: {
        ...options.env,
        REDIS_URL: valkey.url,
        ...(database && { DATABASE_URL: database.ownerUrl }),
      },
      overrides: {
        ...overrides,
        ...(database && {
          identity: { DATABASE_URL: database.urlOf('identity'), ...cheapHash, ...overrides?.identity },
          account: { DATABASE_URL: database.urlOf('account'), ...overrides?.account },
        }),
        gateway: {
          ...withoutPublicMaps,
          ...withoutBoards,
          ...(reach !== 'preview' && withoutPreview),
          ...(reach !== 'accounts' && withoutAccounts),
          ...overrides?.gateway,
        },
      },
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

const partsOf: Readonly<Record<Exclude<Reach, 'everything'>, readonly string[]>> = {
  page: ['gateway'],
  preview: ['preview', 'gateway'],
  accounts: ['mailbox', 'providers', 'identity', 'account', 'gateway'],
}

/** An address where no server listens. */
const nowhere = 'http://127.0.0.1:1'
/** Tests of map pictures name a fake server instead. */
const withoutPublicMaps = { MAP_STREET: 'none' }
const withoutPreview = { PREVIEW_URL: nowhere }
const withoutAccounts = { ACCOUNT_URL: nowhere, IDENTITY_URL: nowhere }
const withoutBoards = {
  UPLOAD_URL: nowhere,
  INGEST_URL: nowhere,
  LEADERBOARD_URL: nowhere,
  S3_PUBLIC_ENDPOINT: nowhere,
}

/** The tests check what a person sees, not the strength of a hash. */
const cheapHash = { ARGON2_MEMORY_KIB: '64', ARGON2_PASSES: '1' }
