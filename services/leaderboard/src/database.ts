import type { EventTables } from '@lapwing/events'
import type { Generated, Kysely, Transaction } from 'kysely'

/** Schema `leaderboard`. Row types stay in the repositories; `bigint` arrives as text. */
export interface Database extends EventTables {
  track: {
    id: Generated<number>
    sim: string
    slug: string
    layout: string
    label: string
    sim_track_id: number | null
    created_at: Generated<Date>
  }
  track_alias: {
    sim: string
    slug: string
    layout: string
    track_id: number
  }
  /** A view: own names, and aliases that are no track's own name. */
  track_name: {
    sim: string
    slug: string
    layout: string
    track_id: number
  }
  context: {
    id: Generated<number>
    track_id: number
    car_slug: string
    car_label: string
    sim_car_id: number | null
    created_at: Generated<Date>
  }
  driver: {
    id: Generated<number>
    user_id: string
    display_name: string | null
    is_hidden: Generated<boolean>
    is_deleted: Generated<boolean>
  }
  hidden_lap: {
    lap_id: string
    hidden_at: Generated<Date>
  }
  /** Laps on boards that other drivers cannot use as a reference. */
  unshared_lap: {
    lap_id: string
  }
  /** Facts of laps on boards that no order follows from. A lap without facts has no row. */
  lap_fact: {
    lap_id: string
    driven_ms: string | null
    session_kind: string | null
    air_temp_c: number | null
    skies: number | null
  }
  /** Reports of drivers about entries of others, for the moderators. */
  lap_report: {
    lap_id: string
    reporter_id: string
    user_id: string
    reason: 'lap' | 'name'
    created_at: Generated<Date>
    /** When a moderator decided; null before. */
    closed_at: Date | null
    /** Keyed digest of the reporter's network; null if it is not known. */
    network: Buffer | null
  }
  standing: {
    driver_id: number
    context_id: number
    version: string
    complete_before_ms: number | null
    clean_before_ms: number | null
  }
  entry: {
    board_id: number
    driver_id: number
    time_ms: number
    recorded_us: string
    lap_id: string
    is_clean: boolean
    is_counted: boolean
  }
  bucket: {
    board_id: number
    node: number
    running: number[]
  }
}

export type Db = Kysely<Database>
export type Trx = Transaction<Database>
