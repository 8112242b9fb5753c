/**
 * `node make-secrets.ts <folder>`: generates the secrets of an installation, 32 random bytes each. Writes the
 * secrets of each container into a file that Node's --env-file and a shell can read. A second run adds only
 * what is missing, because it must not replace keys that encrypt stored data.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSecrets } from '@lapwing/config/secrets'
import { SERVICES } from './services.ts'

const folder = process.argv[2]
if (folder === undefined) throw new Error('Name the folder for the secrets: node make-secrets.ts <folder>')

const secret = openSecrets(join(folder, 'secrets.json'))

const internal = { INTERNAL_KEY: secret('internal key') }
const store = { S3_ACCESS_KEY_ID: 'lapwing', S3_SECRET_ACCESS_KEY: secret('object store key') }
const key = { KEY_ENCRYPTION_KEY: secret('key encryption key') }
const owner = secret('postgres password')
const database = (service: string) => ({ DATABASE_URL: databaseUrl(service, secret(`${service} password`)) })
const own = (service: string) => ({ ...internal, ...database(service) })

const files: Record<string, string> = {
  'postgres-password': owner,
  'object-store.env': lines({
    ROOT_ACCESS_KEY_ID: store.S3_ACCESS_KEY_ID,
    ROOT_SECRET_ACCESS_KEY: store.S3_SECRET_ACCESS_KEY,
  }),
  'prepare.env': lines({
    ...store,
    DATABASE_OWNER_URL: databaseUrl('postgres', owner),
    ...Object.fromEntries(
      SERVICES.map(name => [`${name.toUpperCase()}_PASSWORD`, secret(`${name} password`)]),
    ),
  }),
  'gateway.env': lines(internal),
  'account.env': lines(own('account')),
  'identity.env': lines({ ...own('identity'), ...key }),
  'upload.env': lines({ ...own('upload'), ...store }),
  'ingest.env': lines({ ...own('ingest'), ...store }),
  'leaderboard.env': lines(own('leaderboard')),
  'backup.env': lines({
    ...Object.fromEntries(
      SERVICES.map(name => [`${name.toUpperCase()}_DATABASE_URL`, database(name).DATABASE_URL]),
    ),
    ...store,
    ...key,
  }),
  ...Object.fromEntries(SERVICES.map(name => [`${name}-migration.env`, lines(database(name))])),
}
for (const [name, content] of Object.entries(files)) write(name, content)

/** Writes the file in one step, so that a reader never sees half of it. */
function write(name: string, content: string): void {
  const file = join(folder!, name)
  writeFileSync(`${file}.new`, content)
  renameSync(`${file}.new`, file)
}

function databaseUrl(role: string, password: string): string {
  return `postgres://${role}:${password}@postgres:5432/lapwing`
}

function lines(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}
