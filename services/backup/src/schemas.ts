import { join } from 'node:path'

/** The schemas of a backup, each with the service that owns it. */
export const SCHEMAS = ['account', 'identity', 'upload', 'ingest', 'leaderboard'] as const
export type Schema = (typeof SCHEMAS)[number]

/** Schemas that exist only with boards. */
export const BOARD_SCHEMAS = ['upload', 'ingest', 'leaderboard'] as const satisfies readonly Schema[]

/** Where a schema's rows name objects. Each key begins with the prefix; keys of other schemas do not. */
export interface NamedObjects {
  readonly schema: Schema
  readonly prefix: string
  /** SQL: the keys, in the order of their bytes. */
  readonly keys: string
}

/**
 * The objects that a backup holds, in the order of their keys. An upload that is not completed is not one of them: its
 * browser posts the file again.
 */
export const NAMED_OBJECTS: readonly NamedObjects[] = [
  {
    schema: 'ingest',
    prefix: 'laps/',
    keys: `select series_key from lap where series_key is not null order by series_key collate "C"`,
  },
  {
    schema: 'upload',
    prefix: 'uploads/',
    keys: `select key from upload_session where state = 'completed' order by key collate "C"`,
  },
]

/**
 * SQL for each outbox of `identity`: gives up mails and texts that wait. The installation of the backup had hours to send them, and a
 * code or a link in them may be used by now.
 */
export const GIVE_UP_MESSAGES: ReadonlyMap<string, string> = new Map(
  ['mail_outbox', 'text_outbox'].map(table => [
    table,
    `update ${table} set finished_at = now(), content_sealed = null where finished_at is null`,
  ]),
)

/**
 * SQL for `leaderboard`: every row that a driver can see on a board, in the order of ranks. Numbers that the database
 * chose are not in it.
 */
export const BOARD_ROWS = `
  select track.sim, track.slug, track.layout, context.car_slug, listed.board_id & 1,
    driver.user_id, driver.display_name, listed.time_ms, listed.recorded_us, listed.lap_id, listed.is_clean
  from entry listed
    join context on context.id = listed.board_id >> 1
    join track on track.id = context.track_id
    join driver on driver.id = listed.driver_id
  where listed.is_counted
  order by track.sim collate "C", track.slug collate "C", track.layout collate "C", context.car_slug collate "C",
    listed.board_id & 1, listed.time_ms, listed.recorded_us, listed.lap_id`

/** Returns the folder of a schema's migrations. */
export function migrationsOf(schema: Schema): string {
  return join(import.meta.dirname, '../..', schema, 'migrations')
}
