import { availableParallelism } from 'node:os'
import { integer, readEnv } from '@lapwing/config'
import { gatewayProxiesEnv, tempDirEnv } from '@lapwing/config/shared-env'
import { listenEnv } from '@lapwing/http/listen-env'

export type Config = ReturnType<typeof loadConfig>

/** Reads the service's variables; the table in `README.md` lists them. Throws a `ConfigError`. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>) {
  return readEnv(
    {
      ...listenEnv(8081),
      ...gatewayProxiesEnv,
      ...tempDirEnv,
      workers: integer('PREVIEW_WORKERS', {
        min: 1,
        max: 64,
        about: 'Threads that read files, each one file at a time.',
        example: '4',
        fallback: Math.max(2, availableParallelism() - 1),
      }),
      workerHeapMb: integer('PREVIEW_WORKER_HEAP_MB', {
        min: 64,
        max: 8192,
        about: 'Megabytes of JavaScript heap a thread may use before it is stopped.',
        fallback: 512,
      }),
      readTimeoutMs: integer('PREVIEW_READ_TIMEOUT_MS', {
        min: 100,
        max: 600_000,
        about: 'Milliseconds a received file may wait for a thread and be read.',
        fallback: 60_000,
      }),
      maxUploads: integer('PREVIEW_MAX_UPLOADS', {
        min: 1,
        max: 1000,
        about: 'Files in progress, each up to 100 MB on disk; further ones are answered busy.',
        fallback: 8,
      }),
      uploadIdleMs: integer('PREVIEW_UPLOAD_IDLE_MS', {
        min: 100,
        max: 600_000,
        about: 'Milliseconds without a byte after which an upload is cut.',
        fallback: 15_000,
      }),
      uploadTotalMs: integer('PREVIEW_UPLOAD_TOTAL_MS', {
        min: 100,
        max: 3_600_000,
        about: 'Milliseconds in which a whole file must have arrived.',
        fallback: 300_000,
      }),
      answerTotalMs: integer('PREVIEW_ANSWER_TOTAL_MS', {
        min: 100,
        max: 3_600_000,
        about: 'Milliseconds in which the client must read a whole answer; it is held in memory until then.',
        fallback: 300_000,
      }),
      rateLimitPerMinute: integer('PREVIEW_RATE_LIMIT_PER_MINUTE', {
        min: 1,
        max: 1_000_000,
        about: 'Files a minute from one address (D-17).',
        fallback: 20,
      }),
    },
    env,
  )
}
