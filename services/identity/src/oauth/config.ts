import { ConfigError, integer, optional, text, url, type Variable } from '@lapwing/config'
import { type Provider, type ProviderName, providerNames, providers } from './providers.ts'

/** The parts of a provider's variables: `OAUTH_<PROVIDER>_<PART>`. */
const parts = {
  CLIENT_ID: 'Client id that the provider gave Lapwing; without it the provider is not offered.',
  CLIENT_SECRET: 'Secret that belongs to it; for Apple the private key as PEM.',
  AUTHORIZE_URL: 'Where people sign in, instead of the public address.',
  TOKEN_URL: 'Where codes are exchanged, instead of the public address.',
  PROFILE_URL: 'Where profiles are read, instead of the public address.',
  ISSUER: 'Issuer of ID tokens, instead of the public one.',
  KEYS_URL: 'Key set of ID tokens, instead of the public one.',
} as const

type Part = keyof typeof parts
type ProviderKey = `oauth ${ProviderName} ${Part}`

/** Variables of social sign-in. */
export const oauthEnv = {
  ...(Object.fromEntries(
    providerNames.flatMap(name =>
      Object.entries(parts).map(([part, about]) => [
        `oauth ${name} ${part}`,
        text(`OAUTH_${name.toUpperCase()}_${part}`, { about, example: examples(part as Part), fallback: '' }),
      ]),
    ),
  ) as Readonly<Record<ProviderKey, Variable<string>>>),
  appleTeamId: text('OAUTH_APPLE_TEAM_ID', {
    about: 'Team whose key signs for Apple.',
    example: 'A1B2C3D4E5',
    fallback: '',
  }),
  appleKeyId: text('OAUTH_APPLE_KEY_ID', {
    about: 'Id of the key that signs for Apple.',
    example: 'F6G7H8J9K0',
    fallback: '',
  }),
  oauthCallbackOrigin: optional(
    url('OAUTH_CALLBACK_ORIGIN', {
      schemes: ['http:', 'https:'],
      about:
        'Public address of this service, to which providers send people back; by default the public origin.',
      example: 'https://id.lapwing.example',
    }),
  ),
  oauthTimeoutMs: integer('OAUTH_TIMEOUT_MS', {
    min: 100,
    max: 30_000,
    about: 'Milliseconds each call to a provider may take.',
    example: '5000',
    fallback: 5_000,
  }),
}

/** A provider that is set up: its row of the table with what the operator says. */
export interface OAuthClient extends Provider {
  readonly name: ProviderName
  readonly clientId: string
  readonly clientSecret: string
  /** Of the key that signs for Apple. */
  readonly apple: { readonly teamId: string; readonly keyId: string } | null
}

export interface OAuthSettings {
  /** Those that are set up, by name. */
  readonly clients: ReadonlyMap<string, OAuthClient>
  readonly callbackOrigin: string
  readonly timeoutMs: number
}

type OAuthVariables = {
  readonly [Key in keyof typeof oauthEnv]: (typeof oauthEnv)[Key] extends Variable<infer Value>
    ? Value
    : never
}

/** Throws a `ConfigError` for credentials of which a part is missing. */
export function readOAuthSettings(config: OAuthVariables & { readonly publicOrigin: URL }): OAuthSettings {
  const problems: string[] = []
  const clients = new Map<string, OAuthClient>()
  for (const name of providerNames) {
    const given = (part: Part) => config[`oauth ${name} ${part}`]
    const variable = (part: string) => `OAUTH_${name.toUpperCase()}_${part}`
    const needed = { CLIENT_ID: given('CLIENT_ID'), CLIENT_SECRET: given('CLIENT_SECRET') }
    const apple = name === 'apple' ? { teamId: config.appleTeamId, keyId: config.appleKeyId } : null
    const all = { ...needed, ...(apple !== null && { TEAM_ID: apple.teamId, KEY_ID: apple.keyId }) }
    if (Object.values(all).every(value => value === '')) continue
    for (const [part, value] of Object.entries(all)) {
      if (value === '') problems.push(`${variable(part)} is missing, while others of this provider are set.`)
    }
    for (const part of ['AUTHORIZE_URL', 'TOKEN_URL', 'PROFILE_URL', 'KEYS_URL'] as const) {
      if (given(part) !== '' && !isHttp(given(part)))
        problems.push(`${variable(part)} must be an http(s) address.`)
    }
    const row: Provider = providers[name]
    clients.set(name, {
      ...row,
      name,
      clientId: needed.CLIENT_ID,
      // Environments that cannot hold line ends have them as \n.
      clientSecret: apple === null ? needed.CLIENT_SECRET : needed.CLIENT_SECRET.replaceAll('\\n', '\n'),
      apple,
      authorizeUrl: given('AUTHORIZE_URL') || row.authorizeUrl,
      tokenUrl: given('TOKEN_URL') || row.tokenUrl,
      profileUrl: given('PROFILE_URL') || row.profileUrl,
      ...(row.issuer !== undefined && { issuer: given('ISSUER') || row.issuer }),
      ...(row.keysUrl !== undefined && { keysUrl: given('KEYS_URL') || row.keysUrl }),
    })
  }
  const callback = config.oauthCallbackOrigin ?? config.publicOrigin
  if (config.oauthCallbackOrigin !== null && callback.href !== `${callback.origin}/`) {
    problems.push('OAUTH_CALLBACK_ORIGIN must be an origin, without a path.')
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return { clients, callbackOrigin: callback.origin, timeoutMs: config.oauthTimeoutMs }
}

function isHttp(address: string): boolean {
  return ['http:', 'https:'].includes(URL.parse(address)?.protocol ?? '')
}

function examples(part: Part): string {
  return part.endsWith('URL') || part === 'ISSUER'
    ? 'https://provider.example/oauth'
    : 'as the provider shows it'
}
