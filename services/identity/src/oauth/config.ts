import { ConfigError, integer, optional, type readEnv, text, url, type Variable } from '@lapwing/config'
import { type Provider, type ProviderName, providerNames, providers } from './providers.ts'

/** The parts of a provider's variables: `OAUTH_<PROVIDER>_<PART>`. */
const parts = {
  CLIENT_ID: 'Client id of Lapwing at the provider; without it the provider is not offered.',
  CLIENT_SECRET: 'Secret of this client id; for Apple the private key as PEM.',
  AUTHORIZE_URL: 'Address where people sign in, instead of the public one.',
  TOKEN_URL: 'Address that exchanges codes, instead of the public one.',
  PROFILE_URL: 'Address that returns profiles, instead of the public one.',
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
    about: 'Team that owns the key which signs for Apple.',
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
        'Origin of this service to which providers redirect people; the value of PUBLIC_ORIGIN by default.',
      example: 'https://id.lapwing.example',
    }),
  ),
  oauthTimeoutMs: integer('OAUTH_TIMEOUT_MS', {
    min: 100,
    max: 30_000,
    about: 'Time-out of each call to a provider, in milliseconds.',
    example: '5000',
    fallback: 5_000,
  }),
}

/** Lapwing as a client of a provider, or of an organization's own sign-in. */
export interface RemoteClient extends Provider {
  readonly clientId: string
  readonly clientSecret: string
  /** Ids of the key that signs for Apple; null for other providers. */
  readonly apple: { readonly teamId: string; readonly keyId: string } | null
}

/** A configured provider: its row of the table with the operator's settings. */
export interface OAuthClient extends RemoteClient {
  readonly name: ProviderName
}

export interface OAuthSettings {
  /** Configured providers, by name. */
  readonly clients: ReadonlyMap<string, OAuthClient>
  readonly callbackOrigin: string
  readonly timeoutMs: number
}

type OAuthVariables = ReturnType<typeof readEnv<typeof oauthEnv>>

/**
 * Reads the configured providers. Throws a `ConfigError` for incomplete credentials and invalid
 * addresses.
 */
export function readOAuthSettings(config: OAuthVariables & { readonly publicOrigin: URL }): OAuthSettings {
  const problems: string[] = []
  const clients = new Map<string, OAuthClient>()
  for (const name of providerNames) {
    const settingOf = (part: Part) => config[`oauth ${name} ${part}`]
    const variable = (part: string) => `OAUTH_${name.toUpperCase()}_${part}`
    const credentials = { CLIENT_ID: settingOf('CLIENT_ID'), CLIENT_SECRET: settingOf('CLIENT_SECRET') }
    const apple = name === 'apple' ? { teamId: config.appleTeamId, keyId: config.appleKeyId } : null
    const all = { ...credentials, ...(apple !== null && { TEAM_ID: apple.teamId, KEY_ID: apple.keyId }) }
    if (Object.values(all).every(value => value === '')) continue
    for (const [part, value] of Object.entries(all)) {
      if (value === '') problems.push(`${variable(part)} is missing, while others of this provider are set.`)
    }
    for (const part of ['AUTHORIZE_URL', 'TOKEN_URL', 'PROFILE_URL', 'KEYS_URL'] as const) {
      if (settingOf(part) !== '' && !isWebAddress(settingOf(part)))
        problems.push(`${variable(part)} must be an http(s) address.`)
    }
    const row: Provider = providers[name]
    clients.set(name, {
      ...row,
      name,
      clientId: credentials.CLIENT_ID,
      // Some environments cannot hold line ends and write \n instead.
      clientSecret:
        apple === null ? credentials.CLIENT_SECRET : credentials.CLIENT_SECRET.replaceAll('\\n', '\n'),
      apple,
      authorizeUrl: settingOf('AUTHORIZE_URL') || row.authorizeUrl,
      tokenUrl: settingOf('TOKEN_URL') || row.tokenUrl,
      profileUrl: settingOf('PROFILE_URL') || row.profileUrl,
      ...(row.issuer !== undefined && { issuer: settingOf('ISSUER') || row.issuer }),
      ...(row.keysUrl !== undefined && { keysUrl: settingOf('KEYS_URL') || row.keysUrl }),
    })
  }
  const callback = config.oauthCallbackOrigin ?? config.publicOrigin
  if (config.oauthCallbackOrigin !== null && callback.href !== `${callback.origin}/`) {
    problems.push('OAUTH_CALLBACK_ORIGIN must be an origin, without a path.')
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return { clients, callbackOrigin: callback.origin, timeoutMs: config.oauthTimeoutMs }
}

export function isWebAddress(address: string): boolean {
  return ['http:', 'https:'].includes(URL.parse(address)?.protocol ?? '')
}

function examples(part: Part): string {
  return part.endsWith('URL') || part === 'ISSUER'
    ? 'https://provider.example/oauth'
    : 'as the provider shows it'
}
