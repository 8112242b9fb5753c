import { flag, optional, readEnv, text, url } from '@lapwing/config'
import { internalKeyEnv, poolEnv, serviceUrl } from '@lapwing/config/shared-env'
import { databaseEnv } from '@lapwing/db'
import { listenEnv } from '@lapwing/http/listen-env'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Returns the variable of a service that receives events. Without it, the installation lacks that service.
 */
function service(name: `${'LEADERBOARD' | 'UPLOAD' | 'INGEST'}_URL`, port: number) {
  const host = name.replace('_URL', '').toLowerCase()
  return optional(
    serviceUrl(
      name,
      `Address of ${host}, which receives events; without it, it receives none.`,
      `http://${host}:${port}`,
    ),
  )
}

const migrationEnv = {
  ...databaseEnv('account'),
  leaderboardUrl: service('LEADERBOARD_URL', 8084),
}

/** Reads the variables of the migration: the database, and whether a leaderboard must receive the names. */
export function loadMigrationConfig(env: Env) {
  return readEnv(migrationEnv, env)
}

const identityUrl = serviceUrl(
  'IDENTITY_URL',
  'Address of identity, which receives events.',
  'http://identity:8086',
)

export type Config = ReturnType<typeof loadConfig>

export function loadConfig(env: Env) {
  return readEnv(
    {
      ...listenEnv(8085),
      ...migrationEnv,
      ...poolEnv,
      ...internalKeyEnv,
      identityHosted: flag('IDENTITY_HOSTED', {
        about: 'Whether identity is the hosted provider, which receives no events.',
        example: 'true',
        fallback: false,
      }),
      // Required: without it, the sessions of deleted accounts would stay valid.
      identityUrl: env.IDENTITY_HOSTED === 'true' ? optional(identityUrl) : identityUrl,
      uploadUrl: service('UPLOAD_URL', 8082),
      ingestUrl: service('INGEST_URL', 8083),
      publicOrigin: url('PUBLIC_ORIGIN', {
        schemes: ['http:', 'https:'],
        about: 'Public address of Lapwing; payment pages lead back to it.',
        example: 'https://lapwing.example',
      }),
      stripeKey: text('STRIPE_SECRET_KEY', {
        about: 'Secret key of the payment provider; none turns billing off.',
        example: 'sk_live_…',
        fallback: '',
      }),
      stripePricePro: text('STRIPE_PRICE_PRO', {
        about: 'Price of the Pro tier.',
        example: 'price_…',
        fallback: '',
      }),
      stripePriceTeam: text('STRIPE_PRICE_TEAM', {
        about: 'Price of the Team tier.',
        example: 'price_…',
        fallback: '',
      }),
    },
    env,
  )
}
