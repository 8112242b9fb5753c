import { isAbsolute, join } from 'node:path'
import { integer, readEnv, text, url } from '@lapwing/config'

/** Reads where `make run` and `make dev` listen and where they store their data. */
export function readRunOptions(
  env: Readonly<Record<string, string | undefined>>,
  rootDir: string,
): RunOptions {
  const { port, host, dataDir } = readEnv(
    {
      port: integer('PORT', {
        min: 0,
        max: 65_535,
        about: 'the port of the page, 0 for any free one.',
        fallback: 8080,
      }),
      host: text('HOST', {
        about: 'the address the page listens on; 0.0.0.0 accepts other machines of the network.',
        fallback: '127.0.0.1',
      }),
      dataDir: text('DATA_DIR', {
        about: 'the folder for data and logs.',
        fallback: '.lapwing',
      }),
      ...Object.fromEntries(realServers.filter(([name]) => env[name])),
    },
    env,
  )
  return { port, host, dataDir: isAbsolute(dataDir) ? dataDir : join(rootDir, dataDir) }
}

/** Addresses of real servers. They are checked only if given, and passed on unchanged. */
const realServers = [
  realServer('DATABASE_URL', {
    schemes: ['postgres:', 'postgresql:'],
    about: 'the Postgres to use, with a role that can create roles and schemas.',
    example: 'postgres://postgres:secret@127.0.0.1:5432/postgres',
  }),
  realServer('REDIS_URL', {
    schemes: ['redis:', 'rediss:'],
    about: 'the Redis or Valkey to use.',
    example: 'redis://127.0.0.1:6379',
  }),
  realServer('S3_ENDPOINT', {
    schemes: ['http:', 'https:'],
    about: 'the object store to use.',
    example: 'https://s3.eu-central-1.amazonaws.com',
  }),
  realServer('SMTP_URL', {
    schemes: ['smtp:', 'smtps:'],
    about: 'the mail server to use.',
    example: 'smtp://127.0.0.1:25',
  }),
]

function realServer(name: string, about: Parameters<typeof url>[1]) {
  return [name, url(name, about)] as const
}

export interface RunOptions {
  readonly port: number
  readonly host: string
  /** Absolute. */
  readonly dataDir: string
}
