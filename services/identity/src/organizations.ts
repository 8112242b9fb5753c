import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { runOperatorCommand } from '@lapwing/config/run-operator-command'
import { sql } from 'kysely'
import { changeAsOperator } from './change-as-operator.ts'
import { loadLockConfig, loadOrganizationConfig } from './config.ts'
import { createCipher } from './crypto/cipher.ts'
import { AUTH_METHODS, isAuthMethod } from './organizations/auth-method.ts'
import { readClaimedDomain } from './organizations/claimed-domain.ts'
import { OperatorError } from './organizations/operator-error.ts'
import { readIssuer } from './organizations/read-issuer.ts'
import {
  removeConnection,
  saveConnection,
  saveOrganization,
  turnOrganization,
} from './organizations/save-organization.ts'
import { ssoCallbackUrl } from './organizations/sso.ts'
import type { Work } from './work.ts'

const USAGE = `node src/organizations.ts save --name <name> --domain <domain> … --method <method> … [--id <organization id>]
node src/organizations.ts connect <organization id> --name <name> --issuer <address> --client-id <id>
  --secret-file <file> [--id <connection id>]
node src/organizations.ts disconnect <connection id>
node src/organizations.ts disable | enable <organization id>
node src/organizations.ts list
Methods: ${AUTH_METHODS.join(', ')}.`

const text = { type: 'string', default: '' } as const
const texts = { type: 'string', multiple: true, default: [] as string[] } as const
const OPTIONS = {
  name: text,
  domain: texts,
  method: texts,
  issuer: text,
  'client-id': text,
  'secret-file': text,
  id: { type: 'string' },
} as const

type Values = ReturnType<typeof readArguments>['values']

/** A wrong command, with what is wrong. */
class UsageError extends Error {}

function readArguments() {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** Returns the lines to print. */
type Action = (values: Values, id: string) => Promise<readonly string[]>

const turn =
  (isOn: boolean): Action =>
  (_, id) =>
    change(async work => {
      await turnOrganization(work, id, isOn)
      return [`${id} is turned ${isOn ? 'on' : 'off'}`]
    })

const actions: Readonly<Record<string, Action>> = {
  async save(values) {
    const name = readName(values.name)
    const unknown = values.method.filter(method => !isAuthMethod(method))
    if (unknown.length > 0) throw new UsageError(`There is no method ${unknown.join(', ')}.`)
    const methods = [...new Set(values.method.filter(isAuthMethod))]
    if (values.domain.length === 0 || methods.length === 0) {
      throw new UsageError('An organization needs a domain and a method.')
    }
    const domains = values.domain.map(readClaimedDomain)
    return change(async work => {
      const id = await saveOrganization(work, { name, domains, methods }, values.id ?? null)
      return [`the organization ${name} has the id ${id}`]
    })
  },

  async connect(values, id) {
    const name = readName(values.name)
    const clientId = values['client-id']
    if (clientId === '' || values['secret-file'] === '') {
      throw new UsageError('--client-id and --secret-file are needed.')
    }
    // A file, because everybody on the machine can read the arguments of a command.
    const secret = await readFile(values['secret-file'], 'utf8').catch(() => '')
    const clientSecret = secret.trim()
    if (clientSecret === '') throw new UsageError('The file of --secret-file is empty or cannot be read.')
    const config = loadOrganizationConfig(process.env)
    const metadata = await readIssuer(values.issuer, config.oauthTimeoutMs)
    const cipher = createCipher(config.keyEncryptionKey)
    const callbackOrigin = (config.oauthCallbackOrigin ?? config.publicOrigin).origin
    return change(async work => {
      const details = { displayName: name, metadata, clientId, clientSecret }
      const connectionId = await saveConnection(work, cipher, id, details, values.id ?? null)
      // The operator compares them: nothing reads the discovery document again.
      return [
        `the connection ${name} has the id ${connectionId}`,
        `people sign in at ${metadata.authorizeUrl}`,
        `the service asks ${[metadata.tokenUrl, metadata.keysUrl, metadata.profileUrl].filter(Boolean).join(', ')}`,
        `the redirect address is ${ssoCallbackUrl({ callbackOrigin }, connectionId)}`,
      ]
    })
  },

  disconnect: (_, id) =>
    change(async work => {
      await removeConnection(work, id)
      return [`${id} is removed`]
    }),

  disable: turn(false),
  enable: turn(true),

  list: () =>
    change(async ({ trx }) => {
      const { rows } = await sql<{ line: string }>`
        select concat_ws(' ', organization_id, name,
          case when disabled_at is null then 'on' else 'off' end, array_to_string(allowed_methods, ','),
          (select string_agg(domain, ',' order by domain) from organization_domain
            where organization_domain.organization_id = organization.organization_id),
          (select count(*) from organization_member
            where organization_member.organization_id = organization.organization_id) || ' members',
          (select string_agg(connection_id || ' ' || display_name || ' ' || issuer, ', ' order by connection_id)
            from sso_connection where sso_connection.organization_id = organization.organization_id)) as line
        from organization order by name, organization_id limit 1000`.execute(trx)
      return rows.length === 0 ? ['there is no organization'] : rows.map(({ line }) => line)
    }),
}

function change<Result>(work: (work: Work) => Promise<Result>): Promise<Result> {
  return changeAsOperator(loadLockConfig(process.env), work)
}

function readName(name: string): string {
  const trimmed = name.trim()
  if (/^[^\p{Cc}]{1,60}$/u.test(trimmed)) return trimmed
  throw new UsageError('--name must have 1 to 60 characters.')
}

/** Creates, changes and lists organizations and their own sign-ins; see `organizations`. */
await runOperatorCommand(async () => {
  try {
    const { values, positionals } = readArguments()
    const [action = '', id = '', ...rest] = positionals
    const run = Object.hasOwn(actions, action) ? actions[action] : undefined
    const needsId = action !== 'save' && action !== 'list'
    if (run === undefined || rest.length > 0 || (id !== '') !== needsId) throw new UsageError()
    console.log(`identity: ${(await run(values, id)).join('\nidentity: ')}`)
    return 0
  } catch (error) {
    if (error instanceof OperatorError) console.error(`identity: ${error.message}`)
    else if (error instanceof UsageError) console.error(`${error.message}\n${USAGE}`.trim())
    else throw error
    return error instanceof UsageError ? 2 : 1
  }
})
