import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '@lapwing/config'
import { loadConfig } from './config.ts'

test('accepts an empty environment', () => {
  const config = loadConfig({})
  assert.equal(config.rateLimitPerMinute, 20)
  assert.equal(config.maxUploads, 8)
  assert.ok(config.workers >= 2)
})

test('reads every variable', () => {
  const config = loadConfig({
    HOST: '::1',
    PORT: '4001',
    TMPDIR: '/var/tmp',
    TRUSTED_PROXIES: '10.1.0.0/16,::1',
    PREVIEW_WORKERS: '3',
    PREVIEW_WORKER_HEAP_MB: '256',
    PREVIEW_READ_TIMEOUT_MS: '5000',
    PREVIEW_MAX_UPLOADS: '2',
    PREVIEW_UPLOAD_IDLE_MS: '1000',
    PREVIEW_UPLOAD_TOTAL_MS: '2000',
    PREVIEW_ANSWER_TOTAL_MS: '3000',
    PREVIEW_RATE_LIMIT_PER_MINUTE: '1',
    METRICS_HOST: '127.0.0.1',
    METRICS_PORT: '9464',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel-collector:4318',
    OTEL_TRACES_SAMPLER_ARG: '0.5',
  })
  assert.deepEqual(
    { ...config },
    {
      host: '::1',
      port: 4001,
      logLevel: 'info',
      drainMs: 25_000,
      keepServingMs: 0,
      trustedProxies: ['10.1.0.0/16', '::1'],
      tempDir: '/var/tmp',
      workers: 3,
      workerHeapMb: 256,
      readTimeoutMs: 5000,
      maxUploads: 2,
      uploadIdleMs: 1000,
      uploadTotalMs: 2000,
      answerTotalMs: 3000,
      rateLimitPerMinute: 1,
      metricsHost: '127.0.0.1',
      metricsPort: 9464,
      tracesUrl: new URL('http://otel-collector:4318'),
      sampledShare: 0.5,
    },
  )
})

test('reports all problems together', () => {
  const env = { PREVIEW_WORKERS: '0', TRUSTED_PROXIES: 'gateway', PREVIEW_MAX_UPLOADS: 'many' }
  assert.throws(
    () => loadConfig(env),
    (error: unknown) => error instanceof ConfigError && error.problems.length === 3,
  )
})
