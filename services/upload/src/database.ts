import type { EventTables } from '@lapwing/events'
import type { ColumnType } from 'kysely'

/** Schema `upload`. Row types stay in the repositories. */
export interface Database extends EventTables {
  upload_session: {
    id: string
    user_id: string
    key: string
    size: number
    state: ColumnType<SessionState, SessionState | undefined>
    etag: ColumnType<string | null, string | undefined>
    created_at: Date
    expires_at: Date
    completed_at: ColumnType<Date | null, Date | undefined>
    network: ColumnType<Buffer | null, Buffer | null | undefined>
    asked_at: ColumnType<Date | null, Date | undefined>
  }
  object_removal: {
    key: string
    until: Date
  }
  orphan_walk: {
    after: string | null
  }
  deleted_user: {
    user_id: string
    deleted_at: Date
  }
}

/**
 * State of an upload. `removed`: the next sweep deletes the object, or has deleted it. The upload was not
 * completed in time, stored for its time, or over a quota.
 */
export type SessionState = 'open' | 'completed' | 'removed'
