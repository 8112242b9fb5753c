import { ConfigError } from '@lapwing/config'
import { loadConfig as loadGateway } from '../gateway/src/config.ts'
import { loadConfig as loadAccount, loadMigrationConfig } from '../services/account/src/config.ts'
import { loadConfig as loadBackup } from '../services/backup/src/config.ts'
import {
  loadConfig as loadIdentity,
  loadDatabaseConfig as loadIdentityDatabase,
} from '../services/identity/src/config.ts'
import {
  loadConfig as loadIngest,
  loadDatabaseConfig as loadIngestDatabase,
  loadWorkerConfig,
} from '../services/ingest/src/config.ts'
import { loadConfig as loadLeaderboard, loadStoreConfig } from '../services/leaderboard/src/config.ts'
import { loadConfig as loadPreview } from '../services/preview/src/config.ts'
import {
  loadConfig as loadUpload,
  loadDatabaseConfig as loadUploadDatabase,
} from '../services/upload/src/config.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** Every process, by its name in compose and in the chart, with the function that reads its variables. */
export const processes: Readonly<Record<string, (env: Env) => unknown>> = {
  gateway: loadGateway,
  preview: loadPreview,
  identity: loadIdentity,
  'identity-migration': loadIdentityDatabase,
  account: loadAccount,
  'account-migration': loadMigrationConfig,
  upload: loadUpload,
  'upload-migration': loadUploadDatabase,
  ingest: loadIngest,
  'ingest-worker': loadWorkerConfig,
  'ingest-migration': loadIngestDatabase,
  leaderboard: loadLeaderboard,
  'leaderboard-migration': loadStoreConfig,
  backup: loadBackup,
}

/** Reads a process's configuration. Returns the problems with `env`, and the variables that it knows. */
export function readVariables(name: string, env: Env) {
  const known = new Set<string>()
  const watched = new Proxy(env, {
    get(_, variable) {
      known.add(String(variable))
      return Reflect.get(env, variable)
    },
  })
  try {
    processes[name]!(watched)
    return { known, problems: [] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { known, problems: error.problems }
  }
}
