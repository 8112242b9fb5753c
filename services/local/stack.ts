import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SCHEMAS } from '@lapwing/backup/schemas'
import { serviceUrl } from '@lapwing/db'
import { providersEnv } from '@lapwing/dev-servers/providers'

/** Everything that `make run` starts. A new service, or a dependency such as a database, is one more row. */
export const stack: readonly Part[] = [
  {
    name: 'postgres',
    entry: 'services/local/servers/postgres.ts',
    replacedBy: 'DATABASE_URL',
    needs: [],
    ports: ['POSTGRES_PORT'],
    env: ({ dataDir }) => ({ DATA_DIR: join(dataDir, 'postgres') }),
  },
  {
    name: 'valkey',
    entry: 'services/local/servers/valkey.ts',
    replacedBy: 'REDIS_URL',
    needs: [],
    ports: ['VALKEY_PORT'],
    env: ({ rootDir, dataDir }) => ({
      DATA_DIR: join(dataDir, 'valkey'),
      TOOLS_DIR: join(rootDir, '.tools'),
    }),
  },
  {
    name: 'object-store',
    entry: 'services/local/servers/object-store.ts',
    replacedBy: 'S3_ENDPOINT',
    needs: [],
    ports: ['S3_PORT'],
    late: {
      waiting:
        'The object store is still being built, once for this folder. Until then files cannot be uploaded.',
      ready: 'The object store is ready: files can be uploaded.',
      failed: 'Files cannot be uploaded; everything else works.',
    },
    env: environment => ({
      ...storeEnv(environment),
      DATA_DIR: join(environment.dataDir, 'object-store'),
      TOOLS_DIR: join(environment.rootDir, '.tools'),
      S3_HOST: networkHost(environment),
      ALLOWED_ORIGINS: `${environment.publicUrl},${otherName(environment.publicUrl)}`,
    }),
  },
  {
    name: 'mailbox',
    entry: 'services/local/mailbox/main.ts',
    replacedBy: 'SMTP_URL',
    needs: [],
    ports: ['SMTP_PORT'],
    env: ({ dataDir, publicUrl }) => ({
      DATA_DIR: join(dataDir, 'mailbox'),
      TEXT_REPLY_URL: `${publicUrl}/v1/public/texts/replies`,
      TEXT_REPLY_SECRET: TEXT_SECRET,
    }),
  },
  {
    name: 'providers',
    entry: 'services/local/providers/main.ts',
    needs: [],
    env: ({ publicUrl }) => ({ PUBLIC_ORIGIN: publicUrl }),
  },
  {
    name: 'preview',
    entry: 'services/preview/src/main.ts',
    needs: [],
    env: () => ({}),
  },
  {
    name: 'identity',
    entry: 'services/identity/src/main.ts',
    before: [
      'services/local/servers/provision-role.ts',
      'services/identity/src/migrate.ts',
      'services/local/demo-app/register.ts',
    ],
    needs: ['postgres', 'valkey', 'mailbox', 'providers'],
    env: environment => ({
      ...databaseEnv(environment, 'identity'),
      REDIS_URL: redisUrl(environment),
      SMTP_URL: environment.env.SMTP_URL || `smtp://127.0.0.1:${environment.ports.SMTP_PORT}`,
      PUBLIC_ORIGIN: environment.publicUrl,
      ALLOWED_ORIGINS: environment.env.ALLOWED_ORIGINS || otherName(environment.publicUrl),
      TRUSTED_PROXIES: '127.0.0.1',
      // All clients on this machine share one network address.
      NEW_ACCOUNTS_PER_HOUR: environment.env.NEW_ACCOUNTS_PER_HOUR || '10000',
      INTERNAL_KEY: environment.secret('INTERNAL_KEY'),
      KEY_ENCRYPTION_KEY: environment.secret('KEY_ENCRYPTION_KEY'),
      DEMO_APP_URL: environment.urls['demo-app'],
      ...socialEnv(environment),
      ...textEnv(environment),
    }),
  },
  {
    // An app of another company that a person can connect and disconnect.
    name: 'demo-app',
    entry: 'services/local/demo-app/main.ts',
    // It finds Lapwing when a person connects it.
    needs: [],
    env: ({ urls, publicUrl }) => ({ APP_URL: urls['demo-app'], LAPWING_URL: publicUrl }),
  },
  {
    name: 'account',
    entry: 'services/account/src/main.ts',
    before: ['services/local/servers/provision-role.ts', 'services/account/src/migrate.ts'],
    needs: ['postgres'],
    env: environment => ({
      ...databaseEnv(environment, 'account'),
      IDENTITY_URL: environment.urls.identity,
      LEADERBOARD_URL: environment.urls.leaderboard,
      UPLOAD_URL: environment.urls.upload,
      INGEST_URL: environment.urls.ingest,
      PUBLIC_ORIGIN: environment.publicUrl,
      INTERNAL_KEY: environment.secret('INTERNAL_KEY'),
    }),
  },
  {
    name: 'upload',
    entry: 'services/upload/src/main.ts',
    before: ['services/local/servers/provision-role.ts', 'services/upload/src/migrate.ts'],
    // Not the object store, which may still be built: until it is ready, upload answers 503.
    needs: ['postgres'],
    env: environment => ({
      ...databaseEnv(environment, 'upload'),
      ...storeEnv(environment),
      INGEST_URL: environment.urls.ingest,
      INTERNAL_KEY: environment.secret('INTERNAL_KEY'),
    }),
  },
  {
    name: 'leaderboard',
    entry: 'services/leaderboard/src/main.ts',
    before: ['services/local/servers/provision-role.ts', 'services/leaderboard/src/migrate.ts'],
    needs: ['postgres', 'valkey'],
    env: environment => ({
      ...databaseEnv(environment, 'leaderboard'),
      REDIS_URL: redisUrl(environment),
      INTERNAL_KEY: environment.secret('INTERNAL_KEY'),
    }),
  },
  {
    name: 'ingest',
    entry: 'services/ingest/src/main.ts',
    before: ['services/local/servers/provision-role.ts', 'services/ingest/src/migrate.ts'],
    needs: ['postgres', 'valkey'],
    env: ingestEnv,
  },
  {
    name: 'ingest-worker',
    entry: 'services/ingest/src/worker.ts',
    // Not the object store, which may still be built: until it is ready, there is nothing to judge.
    needs: ['ingest'],
    env: ingestEnv,
  },
  {
    name: 'gateway',
    entry: 'gateway/src/main.ts',
    needs: ['valkey', 'preview', 'account', 'identity', 'upload', 'leaderboard', 'ingest'],
    // The gateway is the only entry point, so it is ready only if it serves the page too.
    answers: ['/readyz', '/'],
    isPublic: true,
    env: environment => ({
      PREVIEW_URL: environment.urls.preview,
      ACCOUNT_URL: environment.urls.account,
      IDENTITY_URL: environment.urls.identity,
      UPLOAD_URL: environment.urls.upload,
      INGEST_URL: environment.urls.ingest,
      LEADERBOARD_URL: environment.urls.leaderboard,
      S3_PUBLIC_ENDPOINT: publicStoreUrl(environment),
      REDIS_URL: redisUrl(environment),
      INTERNAL_KEY: environment.secret('INTERNAL_KEY'),
      FRONTEND_DIR: join(environment.rootDir, 'frontend/dist'),
      PUBLIC_ORIGIN: environment.publicUrl,
    }),
  },
]

/** One process of the stack. */
export interface Part {
  readonly name: string
  /** The file that Node runs, from the root of the repository. */
  readonly entry: string
  /**
   * Files that Node runs to their end before the part starts, in this order, in one process with its environment. Each
   * ends the process if it fails.
   */
  readonly before?: readonly string[]
  /** The variable that names a real server instead. If it is set, the part is not started. */
  readonly replacedBy?: string
  /** Messages for a part that may take minutes: the stack is ready without it. */
  readonly late?: {
    /** Printed if everything else is ready before it. */
    readonly waiting: string
    /** Printed when it becomes ready later. */
    readonly ready: string
    /** Printed if it cannot start, with the last line of its log. */
    readonly failed: string
  }
  /** Names of the parts that must be ready before this one starts. */
  readonly needs: readonly string[]
  /** Paths that must all answer 200 before the part counts as ready; by default `/readyz`. */
  readonly answers?: readonly string[]
  /** True for the one part that a person opens. Every other part listens on a free port of 127.0.0.1. */
  readonly isPublic?: boolean
  /** Variables for further ports of the part. No two parts share a name. */
  readonly ports?: readonly string[]
  /** The part's environment, beside HOST, PORT, those of its metrics, its further ports and LOG_LEVEL. */
  readonly env: (environment: RuntimeEnvironment) => Readonly<Record<string, string | undefined>>
}

/** The machine, folder and addresses that the stack runs with. */
export interface RuntimeEnvironment {
  readonly rootDir: string
  /** Folder for everything the stack writes. */
  readonly dataDir: string
  /** Address of each part, by its name. */
  readonly urls: Readonly<Record<string, string>>
  /** Further ports, by their variable. */
  readonly ports: Readonly<Record<string, number>>
  /** Address that a person opens. */
  readonly publicUrl: string
  /** The environment of `make run`. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Returns the installation's own secret of this name, the same in every run. */
  readonly secret: (name: string) => string
}

/** The service's own role, and the database's owner, which creates that role. */
export function databaseEnv(environment: RuntimeEnvironment, service: string) {
  const owner = environment.env.DATABASE_URL || bundledDatabase(environment)
  const password = environment.secret(`${service} database password`)
  return { DATABASE_OWNER_URL: owner, DATABASE_URL: serviceUrl(owner, { service, password }) }
}

/** The servers of `stack`, without what uses them: enough for a backup or a restore. */
export const serverParts: readonly Part[] = stack.filter(({ name }) =>
  ['postgres', 'valkey', 'object-store'].includes(name),
)

/** Environment of a backup or a restore of what the stack stores. */
export function backupEnv(environment: RuntimeEnvironment): Readonly<Record<string, string | undefined>> {
  return {
    ...Object.fromEntries(
      SCHEMAS.map(schema => [
        `${schema.toUpperCase()}_DATABASE_URL`,
        databaseEnv(environment, schema).DATABASE_URL,
      ]),
    ),
    ...storeEnv(environment),
    REDIS_URL: redisUrl(environment),
    KEY_ENCRYPTION_KEY: environment.secret('KEY_ENCRYPTION_KEY'),
  }
}

function bundledDatabase({ dataDir, ports }: RuntimeEnvironment): string {
  const password = readFileSync(join(dataDir, 'postgres/password'), 'utf8')
  return `postgres://postgres:${password}@127.0.0.1:${ports.POSTGRES_PORT}/postgres`
}

function redisUrl({ env, ports }: RuntimeEnvironment): string {
  return env.REDIS_URL || `redis://127.0.0.1:${ports.VALKEY_PORT}`
}

/** The same environment for the service and for the worker that judges. */
function ingestEnv(environment: RuntimeEnvironment) {
  return {
    ...databaseEnv(environment, 'ingest'),
    ...storeEnv(environment),
    REDIS_URL: redisUrl(environment),
    UPLOAD_URL: environment.urls.upload,
    IDENTITY_URL: environment.urls.identity,
    LEADERBOARD_URL: environment.urls.leaderboard,
    INTERNAL_KEY: environment.secret('INTERNAL_KEY'),
  }
}

/** Environment of a part that uses the object store. Empty if the environment describes an own store. */
function storeEnv(environment: RuntimeEnvironment): Record<string, string> {
  if (environment.env.S3_ENDPOINT) return {}
  const port = environment.ports.S3_PORT
  return {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_PUBLIC_ENDPOINT: `http://${networkHost(environment) ?? 'localhost'}:${port}`,
    S3_BUCKET: 'lapwing',
    S3_REGION: 'us-east-1',
    S3_ACCESS_KEY_ID: 'lapwing',
    S3_SECRET_ACCESS_KEY: environment.secret('object store key'),
  }
}

/** Returns the address that browsers post their files to. */
function publicStoreUrl(environment: RuntimeEnvironment): string | undefined {
  const { S3_PUBLIC_ENDPOINT, S3_ENDPOINT } = { ...environment.env, ...storeEnv(environment) }
  return S3_PUBLIC_ENDPOINT || S3_ENDPOINT
}

/** Returns the host that other machines open the page with, if `HOST` names one. */
function networkHost({ publicUrl }: RuntimeEnvironment): string | undefined {
  const { hostname } = new URL(publicUrl)
  return hostname === 'localhost' ? undefined : hostname
}

/** Returns the address of the same page with this machine's other name. */
function otherName(publicUrl: string): string {
  return publicUrl.replace('//localhost:', '//127.0.0.1:')
}

/** The mailbox shows texts, too, unless the environment has a messaging provider or a mail server of its own. */
function textEnv({ env, urls }: RuntimeEnvironment) {
  if (env.TEXT_API_URL || urls.mailbox === undefined) return {}
  return {
    TEXT_API_URL: `${urls.mailbox}/texts`,
    TEXT_API_CREDENTIALS: `lapwing:${TEXT_SECRET}`,
    SMS_SENDER: '+12015550100',
    WHATSAPP_SENDER: '+12015550100',
    // Nothing is sent and nothing costs money, but the limits of a number stay.
    TEXT_COUNTRIES: env.TEXT_COUNTRIES || LOCAL_COUNTRIES,
    TEXTS_PER_NETWORK_PER_HOUR: env.TEXTS_PER_NETWORK_PER_HOUR || '10000',
  }
}

const TEXT_SECRET = 'local'

const LOCAL_COUNTRIES = 'AT,AU,BE,BR,CA,CH,CZ,DE,DK,ES,FI,FR,GB,HU,IE,IT,JP,NL,NO,NZ,PL,PT,SE,US,ZA'

/** Local providers replace each provider that has no credentials in the environment. */
function socialEnv({ env, urls }: RuntimeEnvironment) {
  return Object.fromEntries(
    Object.entries(providersEnv(urls.providers!)).filter(([name]) => {
      const [, provider] = name.split('_')
      return !env[`OAUTH_${provider}_CLIENT_ID`]
    }),
  )
}
