import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '@lapwing/config'
import { loadCheckConfig, loadConfig } from './config.ts'

const databaseUrl = (schema: string) => `postgres://${schema}:x@127.0.0.1:5432/lapwing`
const accounts = {
  BACKUP_DIR: '/backups',
  IDENTITY_DATABASE_URL: databaseUrl('identity'),
  ACCOUNT_DATABASE_URL: databaseUrl('account'),
  KEY_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
}
const boards = {
  UPLOAD_DATABASE_URL: databaseUrl('upload'),
  INGEST_DATABASE_URL: databaseUrl('ingest'),
  LEADERBOARD_DATABASE_URL: databaseUrl('leaderboard'),
  S3_ENDPOINT: 'http://127.0.0.1:7070',
  S3_BUCKET: 'lapwing',
  S3_ACCESS_KEY_ID: 'a',
  S3_SECRET_ACCESS_KEY: 's',
}

test('backs up accounts alone if no database of boards is named', () => {
  const { installation, keep, timeoutMinutes, redisUrls } = loadConfig(accounts)
  assert.deepEqual([...installation.databases.keys()], ['identity', 'account'])
  assert.equal(installation.bucket, null)
  assert.deepEqual({ keep, timeoutMinutes, redisUrls }, { keep: 14, timeoutMinutes: 720, redisUrls: [] })
})

test('reads every variable', () => {
  const { dir, keep, timeoutMinutes, version, redisUrls, installation } = loadConfig({
    ...accounts,
    ...boards,
    S3_REGION: 'eu-central-1',
    KEEP_BACKUPS: '3',
    TIMEOUT_MINUTES: '60',
    LAPWING_VERSION: '1.2.3',
    REDIS_URL: 'redis://cache:6379',
    QUEUE_REDIS_URL: 'redis://queue:6379',
  })
  assert.deepEqual(
    { dir, keep, timeoutMinutes, version },
    { dir: '/backups', keep: 3, timeoutMinutes: 60, version: '1.2.3' },
  )
  assert.deepEqual(
    redisUrls.map(({ host }) => host),
    ['cache:6379', 'queue:6379'],
  )
  assert.equal(installation.databases.size, 5)
  assert.equal(installation.bucket?.region, 'eu-central-1')
})

test('names each missing variable of boards if one of their databases is named', () => {
  const { UPLOAD_DATABASE_URL } = boards
  assert.throws(
    () => loadConfig({ ...accounts, UPLOAD_DATABASE_URL }),
    (error: ConfigError) =>
      ['INGEST_DATABASE_URL', 'LEADERBOARD_DATABASE_URL', 'S3_ENDPOINT', 'S3_BUCKET'].every(name =>
        error.problems.some(problem => problem.startsWith(`${name} is missing`)),
      ),
  )
})

test('needs only the folder to check a backup', () => {
  assert.deepEqual(
    { ...loadCheckConfig({ BACKUP_DIR: '/backups' }) },
    { dir: '/backups', keyEncryptionKey: null },
  )
  assert.throws(() => loadCheckConfig({}), ConfigError)
  assert.throws(() => loadConfig({ ...accounts, KEY_ENCRYPTION_KEY: 'short' }), /must be 32 bytes in base64/)
})
