import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDb, migrateToLatest } from '@lapwing/db'
import type { ObjectStore } from '@lapwing/object-store'
import { testBucket } from '@lapwing/object-store/testing'
import { testDatabase } from '@lapwing/testing/test-database.ts'
import type pg from 'pg'
import { type BackUp, backUp } from '../back-up.ts'
import type { Installation } from '../config.ts'
import { connect } from '../database/connect.ts'
import { listTables } from '../database/tables.ts'
import { type RestoreBackup, restoreBackup } from '../restore-backup.ts'
import { migrationsOf, SCHEMAS, type Schema } from '../schemas.ts'

export const key = Buffer.alloc(32, 7)

/** The context of a test, or the hooks of its file. */
export interface Cleanup {
  after(clean: () => unknown): void
}

export interface TestInstallation {
  readonly installation: Installation
  readonly store: ObjectStore
  client(schema: Schema): pg.Client
  /** Ends the connections that `client` opened: a restore wants the databases for itself. */
  disconnect(): Promise<void>
  /** Environment of the commands. */
  readonly env: Readonly<Record<string, string>>
}

/** Creates a database with the roles of all services, and a bucket. */
export async function anInstallation(t: Cleanup): Promise<TestInstallation> {
  const [first, ...others] = SCHEMAS
  const database = await testDatabase(first, ...others)
  const bucket = await testBucket()
  const clients = new Map<Schema, pg.Client>()
  const databases = new Map(SCHEMAS.map(schema => [schema, new URL(database.urlOf(schema))]))
  for (const [schema, url] of databases) clients.set(schema, await connect(schema, url))
  const disconnect = async () => {
    for (const client of clients.values()) await client.end()
    clients.clear()
  }
  t.after(async () => {
    await disconnect()
    await bucket.drop()
    await database.drop()
  })
  const { address } = bucket
  return {
    installation: { databases, bucket: address, keyEncryptionKey: key },
    store: bucket.store,
    client: schema => clients.get(schema)!,
    disconnect,
    env: {
      ...Object.fromEntries(
        [...databases].map(([schema, url]) => [`${schema.toUpperCase()}_DATABASE_URL`, url.href]),
      ),
      S3_ENDPOINT: address.endpoint,
      S3_BUCKET: address.bucket,
      S3_REGION: address.region,
      S3_ACCESS_KEY_ID: address.accessKeyId,
      S3_SECRET_ACCESS_KEY: address.secretAccessKey,
      KEY_ENCRYPTION_KEY: key.toString('base64'),
    },
  }
}

/** An installation with two drivers, a board, waiting mails, a file to judge and the series of two laps. */
export async function aFilledInstallation(t: Cleanup): Promise<TestInstallation> {
  const filled = await anInstallation(t)
  for (const schema of SCHEMAS) {
    const db = createDb<unknown>({
      url: filled.installation.databases.get(schema)!.href,
      schema,
      poolSize: 1,
    })
    try {
      await migrateToLatest(db, { folder: migrationsOf(schema), schema })
    } finally {
      await db.destroy()
    }
    for (const statement of ROWS[schema]) await filled.client(schema).query(statement)
  }
  for (const { key, body, ...type } of OBJECTS) await filled.store.put(key, body, type)
  return filled
}

export const lapId = (n: number) => `00000000-0000-4000-8000-00000000000${n}`

/** The last one is of no row. */
export const OBJECTS = [
  {
    key: `laps/${lapId(1)}/a1`,
    body: randomBytes(5_000),
    contentType: 'application/x-protobuf',
    contentEncoding: 'gzip',
  },
  {
    key: `laps/${lapId(2)}/b2`,
    body: randomBytes(70_000),
    contentType: 'application/x-protobuf',
    contentEncoding: 'gzip',
  },
  { key: 'uploads/0a1b', body: randomBytes(3_000_000), contentType: 'application/octet-stream' },
  { key: 'uploads/ffff', body: randomBytes(10), contentType: 'application/octet-stream' },
] as const

const ROWS: Readonly<Record<Schema, readonly string[]>> = {
  account: [
    `insert into profile (user_id, username, username_key, is_default) values ('u1', 'Kate', 'kate', false)`,
    `insert into waitlist_member (user_id) values ('u1'), ('u2')`,
    `insert into event_outbox (id, payload) values ('${lapId(1)}', '\\x00ff09')`,
    `insert into event_delivery (event_id, subscriber) values ('${lapId(1)}', 'identity')`,
  ],
  identity: [
    `insert into person (user_id, created_at, first_name, roles, trusted_metadata) values
      ('u1', '2026-11-30 01:02:03.123456+00', E'Ka\\te\\n\\\\N', '{a,"b,c"}', '{"a": [1, "ü"]}'),
      ('u2', now(), '', '{}', '{}')`,
    `insert into email (email_id, user_id, address, address_key, verified, created_at) values
      ('e1', 'u1', 'kate@example.org', 'kate@example.org', true, now())`,
    `insert into session (session_id, user_id, token_hash, started_at, last_accessed_at, expires_at,
      jwt_expires_at, ip_address, user_agent, factors) values
      ('s1', 'u1', '\\xdeadbeef', now(), now(), now() + '1 hour', now() + '1 hour', '192.0.2.1', 'x', '[]')`,
    `insert into mail_outbox (mail_id, kind, content_sealed, created_at, worthless_at, next_attempt_at, finished_at) values
      ('${lapId(1)}', 'waiting', '\\x01', now(), now() + '1 day', now(), null),
      ('${lapId(2)}', 'sent', null, now(), now() + '1 day', now(), '2026-11-30 01:02:03+00')`,
  ],
  upload: [
    `insert into upload_session (id, user_id, key, size, state, etag, created_at, expires_at, completed_at) values
      ('${lapId(1)}', 'u1', 'uploads/0a1b', 3000000, 'completed', '"x"', now(), now(), now()),
      ('${lapId(2)}', 'u1', 'uploads/0000', 200, 'open', null, now(), now(), null)`,
  ],
  ingest: [
    `insert into ingest (id, user_id, upload_session_id, key, etag, size) values
      ('${lapId(1)}', 'u1', '${lapId(1)}', 'uploads/0a1b', '"x"', 3000000)`,
    `insert into combination (track_id, board_id, sim, track_slug, layout, car_slug, track_label, car_label, sim_track_id)
      values (1, 1, 'iracing', 'ring', '', 'gt', 'Ring', 'GT', 7)`,
    ...[1, 2].map(
      n => `insert into lap (id, ingest_id, user_id, board_id, combination_id, lap_no, time_ms, is_completed, is_clean,
        counts, reasons, series_key, line_lat) values ('${lapId(n)}', '${lapId(1)}', 'u${n}', 1, 1, ${n}, 9000${n}, true,
        true, true, '{}', 'laps/${lapId(n)}/${'ab'[n - 1]}${n}', 51.0123456789012345)`,
    ),
  ],
  leaderboard: [
    `insert into track (sim, slug, layout, label) values ('iracing', 'ring', '', 'Ring')`,
    `insert into context (track_id, car_slug, car_label) values (1, 'gt', 'GT')`,
    `insert into driver (user_id, display_name) values ('u1', 'Kate'), ('u2', null)`,
    `insert into entry (board_id, driver_id, time_ms, recorded_us, lap_id, is_clean, is_counted) values
      (2, 1, 90001, 1, '${lapId(1)}', true, true), (2, 2, 90002, 2, '${lapId(2)}', false, true)`,
    `insert into bucket (board_id, node, running) values (2, 0, '{1,2}')`,
  ],
}

/** Returns all rows of all tables, and the next values of the sequences. */
export async function allRows({ client }: TestInstallation): Promise<Readonly<Record<string, unknown>>> {
  const found: Record<string, unknown> = {}
  for (const schema of SCHEMAS) {
    for (const { name } of await listTables(client(schema), schema)) {
      const { rows } = await client(schema).query(`select row(t.*)::text as row from ${name} t order by 1`)
      found[`${schema}.${name}`] = rows.map(({ row }) => row)
    }
    const { rows } = await client(schema).query(
      'select sequencename, last_value from pg_sequences where schemaname = $1 order by 1',
      [schema],
    )
    found[`${schema} sequences`] = rows
  }
  return found
}

export async function allObjects(store: ObjectStore): Promise<Readonly<Record<string, unknown>>> {
  const found: Record<string, unknown> = {}
  for (const prefix of ['laps/', 'uploads/']) {
    const { objects } = await store.list(prefix)
    for (const { key, etag } of objects) {
      const { body, type } = await store.get(key)
      found[key] = { etag, type, bytes: Buffer.concat(await body.toArray()).toString('base64') }
    }
  }
  return found
}

export function aFolder(t: Cleanup): string {
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-backups-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

export function backUpInto(dir: string, { installation }: TestInstallation, options: Partial<BackUp> = {}) {
  const signal = new AbortController().signal
  return backUp({ dir, installation, keep: 14, version: '0.0.0', say: () => {}, signal, ...options })
}

export function restoreFrom(
  folder: string,
  { installation }: TestInstallation,
  options: Partial<RestoreBackup> = {},
) {
  return restoreBackup({
    folder,
    installation,
    redisUrls: [],
    isReplacing: false,
    isSendingMessages: false,
    isKeyLost: false,
    say: () => {},
    signal: new AbortController().signal,
    ...options,
  })
}
