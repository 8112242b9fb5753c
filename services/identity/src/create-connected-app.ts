import { parseArgs } from 'node:util'
import { runOperatorCommand } from '@lapwing/config/run-operator-command'
import { changeAsOperator } from './change-as-operator.ts'
import { loadLockConfig } from './config.ts'
import { type AppDetails, redirectProblem, saveApp } from './connected-apps/save-app.ts'
import { ALL_SCOPES, isScope } from './connected-apps/scopes.ts'

const USAGE = `node src/create-connected-app.ts --name <name> --description <text> --redirect <address> …
  [--logout <address> …] [--scope <scope> …] [--public] [--id <client id>]
Scopes: ${ALL_SCOPES.join(', ')}; all if left out.`

/**
 * `node src/create-connected-app.ts …`: registers an app that people can connect, and prints its id and secret. With the
 * id of a known app it changes that one.
 */
await runOperatorCommand(async () => {
  const { details, clientId, problems } = readArguments()
  if (problems.length > 0) {
    console.error([...problems, USAGE].join('\n'))
    return 2
  }
  const config = loadLockConfig(process.env)
  const saved = await changeAsOperator(config, work => saveApp(work, details, clientId))
  console.log(`identity: the app ${details.name} has the client_id ${saved.clientId}`)
  // Nothing else ever shows it.
  if (saved.secret !== null) console.log(`identity: its client_secret is ${saved.secret}`)
  return 0
})

function readArguments(): {
  readonly details: AppDetails
  readonly clientId: string | null
  readonly problems: readonly string[]
} {
  const text = { type: 'string', default: '' } as const
  const texts = { type: 'string', multiple: true, default: [] as string[] } as const
  const options = {
    name: text,
    description: text,
    redirect: texts,
    logout: texts,
    scope: texts,
    public: { type: 'boolean', default: false },
    id: { type: 'string' },
  } as const
  try {
    const { values } = parseArgs({ options })
    const details = {
      name: values.name.trim(),
      description: values.description.trim(),
      redirectUris: values.redirect,
      postLogoutRedirectUris: values.logout,
      scopes: values.scope.length === 0 ? ALL_SCOPES : values.scope,
      isPublic: values.public,
    }
    return { details, clientId: values.id ?? null, problems: problemsOf(details, values.id) }
  } catch (error) {
    const details = {} as AppDetails
    return { details, clientId: null, problems: [(error as Error).message] }
  }
}

function problemsOf(details: AppDetails, id: string | undefined): readonly string[] {
  const { name, description, redirectUris, postLogoutRedirectUris, scopes } = details
  const isText = (value: string) => /^[^\p{Cc}]{1,200}$/u.test(value)
  return [
    ...(isText(name) && name.length <= 60 ? [] : ['--name must have 1 to 60 characters.']),
    ...(isText(description) ? [] : ['--description must have 1 to 200 characters.']),
    ...(id === undefined || /^[\w.-]{3,100}$/.test(id)
      ? []
      : ['--id must be letters, digits, dots, hyphens or underscores.']),
    ...(redirectUris.length > 0 ? [] : ['--redirect is missing.']),
    ...[...redirectUris, ...postLogoutRedirectUris].flatMap(address => {
      const problem = redirectProblem(address)
      return problem === null ? [] : [`${address} ${problem}.`]
    }),
    ...scopes.filter(scope => !isScope(scope)).map(scope => `There is no scope ${scope}.`),
  ]
}
