import { availableParallelism, totalmem } from 'node:os'
import { integer, optional, readEnv, text } from '@lapwing/config'
import {
  gatewayProxiesEnv,
  internalKeyEnv,
  poolEnv,
  redisEnv,
  serviceUrl,
  tempDirEnv,
} from '@lapwing/config/shared-env'
import { databaseEnv } from '@lapwing/db'
import { listenEnv } from '@lapwing/http/listen-env'
import { storeEnv } from '@lapwing/object-store/store-env'

type Env = Readonly<Record<string, string | undefined>>

const database = databaseEnv('ingest')

/** The variables that both processes of the service share. */
const sharedEnv = {
  ...database,
  ...poolEnv,
  ...redisEnv('The Redis that holds the queue; it must not evict.'),
  queuePrefix: text('INGEST_QUEUE_PREFIX', {
    about: 'First part of every key of the queue.',
    fallback: 'ingest',
  }),
  ...internalKeyEnv,
  leaderboardUrl: serviceUrl(
    'LEADERBOARD_URL',
    'Address of leaderboard, which stores standings.',
    'http://leaderboard:8084',
  ),
  ...storeEnv,
}

/** Reads the variables of the migration and of moderators' commands, which need only the database. */
export function loadDatabaseConfig(env: Env) {
  return readEnv(database, env)
}

export type Config = ReturnType<typeof loadConfig>

/** Reads the variables of the process that answers requests. */
export function loadConfig(env: Env) {
  return readEnv(
    {
      ...listenEnv(8083),
      ...sharedEnv,
      uploadUrl: serviceUrl(
        'UPLOAD_URL',
        'Address of upload, which knows what was uploaded.',
        'http://upload:8082',
      ),
      ...gatewayProxiesEnv,
      waitMs: integer('INGEST_WAIT_MS', {
        min: 0,
        max: 600_000,
        about: 'Milliseconds a request waits for its file to be judged before it answers 202.',
        fallback: 55_000,
      }),
      maxWaiters: integer('INGEST_MAX_WAITERS', {
        min: 0,
        max: 100_000,
        about: 'Requests that may wait at the same time; further ones are answered 202 immediately.',
        fallback: 1000,
      }),
      referenceThreads: integer('INGEST_REFERENCE_THREADS', {
        min: 1,
        max: 64,
        about: 'Threads that write reference laps as JSON.',
        fallback: 1,
      }),
    },
    env,
  )
}

export type WorkerConfig = ReturnType<typeof loadWorkerConfig>

/** Reads the variables of the process that judges files. */
export function loadWorkerConfig(env: Env) {
  return readEnv(
    {
      ...listenEnv(8093),
      ...sharedEnv,
      ...tempDirEnv,
      threads: integer('INGEST_THREADS', {
        min: 1,
        max: 64,
        about: 'Threads that judge files, each one file at a time.',
        example: '4',
        fallback: threadsFor({ cores: availableParallelism(), memoryBytes: memoryBytes() }),
      }),
      threadHeapMb: integer('INGEST_THREAD_HEAP_MB', {
        min: 32,
        max: 8192,
        about: 'Megabytes of JavaScript heap a thread may use before it is stopped.',
        fallback: 256,
      }),
      judgeTimeoutMs: integer('INGEST_JUDGE_TIMEOUT_MS', {
        min: 100,
        max: 600_000,
        about: 'Milliseconds a fetched file may wait for a thread and be judged.',
        fallback: 120_000,
      }),
      leaseMs: integer('INGEST_LEASE_MS', {
        min: 500,
        max: 600_000,
        about: 'Milliseconds without a renewed lease after which another worker may judge the file.',
        fallback: 15_000,
      }),
      sweepMs: integer('INGEST_SWEEP_MS', {
        min: 100,
        max: 600_000,
        about: 'Milliseconds between two sweeps, which find and repair unfinished work.',
        fallback: 5_000,
      }),
      identityUrl: optional(
        serviceUrl(
          'IDENTITY_URL',
          'Address of identity, which knows which accounts have a verified address.',
          'http://identity:8086',
        ),
      ),
      voteAgeMs: integer('INGEST_VOTE_AGE_MS', {
        min: 0,
        max: 365 * 86_400_000,
        about: 'Milliseconds an account must exist before it votes on where tracks are (D-27).',
        fallback: 86_400_000,
      }),
      recheckMs: integer('INGEST_RECHECK_MS', {
        min: 100,
        max: 86_400_000,
        about: 'Milliseconds after which identity is asked again about an account that is not verified.',
        fallback: 60_000,
      }),
      orphanMs: integer('INGEST_ORPHAN_MS', {
        min: 1_000,
        max: 30 * 86_400_000,
        about:
          'Milliseconds after which a series that no lap has is removed; far more than judging a file takes.',
        fallback: 86_400_000,
      }),
    },
    env,
  )
}

/** Returns one thread a core, or fewer if the memory is short: each needs its file's 100 MB and its heap. */
export function threadsFor({ cores, memoryBytes }: { readonly cores: number; readonly memoryBytes: number }) {
  return Math.max(1, Math.min(cores, Math.floor(memoryBytes / BYTES_A_FILE)))
}

const BYTES_A_FILE = 384 * 1024 * 1024

/** Returns the memory limit of this process in bytes, or the machine's memory if it has no limit. */
function memoryBytes(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
