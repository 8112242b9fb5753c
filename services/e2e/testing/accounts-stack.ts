import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDb } from '@lapwing/db'
import { freePort } from '@lapwing/dev-servers/free-port'
import { providersEnv } from '@lapwing/dev-servers/providers'
import type { Part } from '@lapwing/local/stack'
import { type RunningStack, startStack } from '@lapwing/local/start-stack'
import { type Mail, mailTo } from './mails.ts'
import { migratedDatabase } from './migrated-database.ts'
import { operatorCommand } from './operator-command.ts'

export const publicToken = 'public-token-test-lapwing'
export const projectId = 'project-test-lapwing'
export const internalKey = 'an internal key of at least 32 characters'

/**
 * Starts identity as a separate process, on an empty database, with the mailbox and the local providers; on
 * request account and gateway too.
 */
export async function startAccounts(options: AccountsOptions): Promise<Accounts> {
  const { pageOrigin, withGateway = false, logLevel = 'warn', tracesUrl = '' } = options
  const services = withGateway ? ['identity', 'account'] : ['identity']
  const database = await migratedDatabase(services)
  const dataDir = mkdtempSync(join(tmpdir(), 'lapwing-accounts-'))
  const closers: (() => Promise<void> | void)[] = [
    () => rmSync(dataDir, { recursive: true, force: true }),
    () => database.drop(),
  ]
  const stop = async () => {
    for (const close of closers.toReversed()) await close()
  }
  try {
    const smtpPort = String(await freePort())
    const frontendDir = join(dataDir, 'frontend')
    mkdirSync(frontendDir)
    // The gateway is ready only with a page.
    writeFileSync(join(frontendDir, 'index.html'), '<!doctype html><title>Lapwing</title>')
    const stack: RunningStack = await startStack({
      parts: withGateway ? [...identityParts, ...gatewayParts] : identityParts,
      rootDir,
      dataDir,
      publicPort: 0,
      publicHost: '127.0.0.1',
      env: {
        ...process.env,
        LOG_LEVEL: logLevel,
        OTEL_EXPORTER_OTLP_ENDPOINT: tracesUrl,
        PUBLIC_ORIGIN: pageOrigin,
        ...shared,
      },
      overrides: {
        mailbox: { SMTP_PORT: smtpPort, DATA_DIR: join(dataDir, 'mails') },
        identity: {
          DATABASE_URL: database.urlOf('identity'),
          SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
          ...options.identity,
        },
        ...(withGateway && {
          account: { DATABASE_URL: database.urlOf('account') },
          gateway: { FRONTEND_DIR: frontendDir, ...options.gateway },
        }),
      },
      say: line => console.log(line),
    })
    closers.push(() => stack.stop())
    return {
      identityUrl: stack.urls.identity!,
      gatewayUrl: stack.urls.gateway ?? '',
      accountUrl: stack.urls.account ?? '',
      operatorCommand: (file, ...args) =>
        operatorCommand(file, args, {
          DATABASE_URL: database.urlOf('identity'),
          PUBLIC_ORIGIN: pageOrigin,
        }),
      readMetrics: () =>
        Promise.all(Object.entries(stack.metrics).map(readMetrics)).then(entries => new Map(entries)),
      stopAndReadLogs: async () => {
        await stack.stop()
        const folder = join(dataDir, 'logs')
        return new Map(
          readdirSync(folder).map(file => [
            file.replace(/\.log$/, ''),
            readFileSync(join(folder, file), 'utf8'),
          ]),
        )
      },
      mailTo: address => mailTo(stack.urls.mailbox!, address),
      forgetTries: () => forgetTries(database.urlOf('identity')),
      registerApp: app => registerApp(database.urlOf('identity'), app),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

export interface AccountsOptions {
  /** Origin of the page that may call identity, and that its links open. */
  readonly pageOrigin: string
  /** Starts account and the gateway too. */
  readonly withGateway?: boolean
  /** Further variables of identity. */
  readonly identity?: Readonly<Record<string, string>>
  /** Further variables of the gateway. */
  readonly gateway?: Readonly<Record<string, string>>
  readonly logLevel?: string
  /** Collector of the traces of all processes; without it there are none. */
  readonly tracesUrl?: string
}

async function readMetrics([name, url]: [string, string]): Promise<[string, string]> {
  return [name, await (await fetch(url)).text()]
}

export interface Accounts {
  readonly identityUrl: string
  /** Empty without a gateway. */
  readonly gatewayUrl: string
  /** Empty without a gateway. */
  readonly accountUrl: string
  /** Runs a command of identity's operator and returns its output. */
  readonly operatorCommand: (file: string, ...args: readonly string[]) => Promise<string>
  /** Returns the metrics of each process, by its name. */
  readMetrics(): Promise<ReadonlyMap<string, string>>
  /** Stops the processes, so that every log line is on disk. Returns each log by the part's name. */
  readonly stopAndReadLogs: () => Promise<ReadonlyMap<string, string>>
  /** Waits for a mail to that address, or a text to that number, and returns the newest. */
  readonly mailTo: (address: string) => Promise<Mail>
  /** Registers a public app that people can connect, by default with the usual scopes. Returns its client id. */
  readonly registerApp: (app: RegisteredApp) => Promise<string>
  /** Sets all limits back: the tests come from one network, and together they can exceed its limits. */
  readonly forgetTries: () => Promise<void>
  readonly stop: () => Promise<void>
}

async function forgetTries(url: string): Promise<void> {
  const db = createDb<{ attempt: object }>({ url, schema: 'identity', poolSize: 1 })
  try {
    await db.deleteFrom('attempt').execute()
  } finally {
    await db.destroy()
  }
}

interface RegisteredApp {
  readonly redirect: string
  readonly scopes?: readonly string[]
}

async function registerApp(databaseUrl: string, { redirect, scopes = [] }: RegisteredApp): Promise<string> {
  const args = ['--name', 'An app', '--description', 'Reads.', '--redirect', redirect, '--logout', redirect]
  const ofScopes = scopes.flatMap(scope => ['--scope', scope])
  const out = await operatorCommand('create-connected-app.ts', [...args, ...ofScopes, '--public'], {
    DATABASE_URL: databaseUrl,
  })
  const clientId = /client_id (\S+)/.exec(out)?.[1]
  if (clientId === undefined) throw new Error(`No app was registered: ${out}`)
  return clientId
}

const rootDir = join(import.meta.dirname, '../../..')

/** Variables that several parts share. */
const shared = {
  PUBLIC_TOKEN: publicToken,
  PROJECT_ID: projectId,
  INTERNAL_KEY: internalKey,
}

const identityParts: readonly Part[] = [
  {
    name: 'mailbox',
    entry: 'services/local/mailbox/main.ts',
    needs: [],
    answers: ['/readyz'],
    env: () => ({}),
  },
  {
    name: 'providers',
    entry: 'services/local/providers/main.ts',
    needs: [],
    answers: ['/readyz'],
    env: () => ({}),
  },
  {
    name: 'identity',
    entry: 'services/identity/src/main.ts',
    needs: ['mailbox', 'providers'],
    answers: ['/readyz'],
    env: ({ urls }) => ({
      KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      // All requests of the tests come from one network address.
      NEW_ACCOUNTS_PER_HOUR: '10000',
      OAUTH_CALLBACK_ORIGIN: urls.identity,
      // Cheap on purpose: the tests check behaviour, not strength.
      ARGON2_MEMORY_KIB: '64',
      ARGON2_PASSES: '1',
      ...providersEnv(urls.providers!),
      TEXT_API_URL: `${urls.mailbox}/texts`,
      TEXT_API_CREDENTIALS: 'lapwing:local',
      SMS_SENDER: '+12015550100',
      WHATSAPP_SENDER: '+12015550100',
      TEXT_COUNTRIES: 'DE,US',
      TEXTS_PER_NETWORK_PER_HOUR: '10000',
    }),
  },
]

const gatewayParts: readonly Part[] = [
  {
    name: 'account',
    entry: 'services/account/src/main.ts',
    needs: ['identity'],
    answers: ['/readyz'],
    env: ({ urls }) => ({ IDENTITY_URL: urls.identity }),
  },
  {
    name: 'preview',
    entry: 'services/preview/src/main.ts',
    needs: [],
    answers: ['/readyz'],
    env: () => ({}),
  },
  {
    name: 'gateway',
    entry: 'gateway/src/main.ts',
    needs: ['account', 'preview'],
    answers: ['/readyz'],
    isPublic: true,
    env: ({ urls }) => ({
      PREVIEW_URL: urls.preview,
      ACCOUNT_URL: urls.account,
      IDENTITY_URL: urls.identity,
    }),
  },
]
