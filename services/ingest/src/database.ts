import type { EventTables } from '@lapwing/events'
import type { SessionKind } from '@lapwing/telemetry'
import type { FoundCorner, TrackCorner } from '@lapwing/telemetry/corners'
import type { Generated } from 'kysely'
import type { ConflictKind } from './judging/conflict-kind.ts'
import type { Decision, Review } from './review/review.ts'

/** Schema `ingest`; the migrations say what the columns mean. Row types stay in the repositories. */
export interface Database extends EventTables {
  ingest: {
    id: string
    user_id: string
    upload_session_id: string
    key: string
    etag: string
    size: number
    state: Generated<'waiting' | 'running' | 'recorded' | 'done' | 'failed'>
    progress: Generated<number>
    attempt: Generated<number>
    attempt_token: string | null
    leased_until: Date | null
    tries: Generated<number>
    not_before: Generated<Date>
    board_id: number | null
    standing_version: number | null
    outcome: unknown
    network: Generated<Buffer | null>
    traceparent: string | null
    failure_code: string | null
    failure_detail: string | null
    created_at: Generated<Date>
    finished_at: Date | null
  }
  combination: {
    id: Generated<number>
    track_id: number
    board_id: number
    sim: string
    track_slug: string
    layout: string
    car_slug: string
    track_label: string
    car_label: string
    sim_track_id: number
    sim_car_id: number | null
    created_at: Generated<Date>
  }
  track_witness: {
    track_id: number
    user_id: string
    lat: number
    lon: number
    length_m: number
    is_counted: Generated<boolean>
  }
  track_place: {
    track_id: number
    lat: number
    lon: number
    length_m: number
    agreed_at: Generated<Date>
    is_applied: Generated<boolean>
  }
  track_sighting: {
    track_id: number
    user_id: string
    lap_id: string
    length_m: number | null
    corners: readonly FoundCorner[]
    is_counted: Generated<boolean>
  }
  track_corners: {
    track_id: number
    version: Generated<number>
    length_m: number | null
    corners: readonly TrackCorner[]
    next_id: Generated<number>
    founder_lap_id: string | null
    is_provisional: Generated<boolean>
  }
  file: {
    sha256: Buffer
    user_id: string
    ingest_id: string
    created_at: Generated<Date>
  }
  sim_driver: {
    sim: string
    sim_user_id: string
    user_id: string
    created_at: Generated<Date>
    is_decided: Generated<boolean>
  }
  driver_claim: {
    sim: string
    sim_user_id: string
    user_id: string
    claimed_at: Generated<Date>
    settled_at: Date | null
  }
  person: {
    user_id: string
    network: Buffer | null
    is_verified: Generated<boolean>
    account_created_at: Date | null
    can_vote: Generated<boolean>
    known_since: Generated<Date>
    ask_after: Generated<Date>
  }
  conflict: {
    /** `bigint`. */
    id: Generated<string>
    kind: ConflictKind
    ingest_id: string
    user_id: string
    owner_user_id: string
    sha256: Buffer
    sim_user_id: string | null
    created_at: Generated<Date>
  }
  lap: {
    id: string
    ingest_id: string
    user_id: string
    board_id: number
    combination_id: number
    lap_no: number
    time_ms: number | null
    time_source: 'official' | 'interpolated' | null
    is_completed: boolean
    is_clean: boolean
    counts: boolean
    reasons: string[]
    /** A `Date` drops the microseconds that decide ties: read it as text (D-8). */
    recorded_at: Generated<Date>
    reference_allowed: Generated<boolean>
    series_key: string | null
    series_hash: string | null
    deleted_at: Date | null
    line_lat: number | null
    line_lon: number | null
    length_m: number | null
    driven_at: Generated<Date | null>
    session_kind: SessionKind | null
    air_temp_c: number | null
    skies: 0 | 1 | 2 | 3 | null
    review: Review | null
    review_reasons: Generated<string[]>
    is_fingerprinted: Generated<boolean>
  }
  lap_decision: {
    /** `bigint`. */
    id: Generated<string>
    lap_id: string
    decision: Decision
    decided_by: string
    reason: string
    decided_at: Generated<Date>
  }
  lap_fingerprint: {
    /** `bigint`. */
    id: Generated<string>
    lap_id: string
    descriptor: Buffer
    has_input_keys: Generated<boolean>
  }
  lap_fingerprint_key: {
    key: string
    fingerprint_id: string
  }
  gear_set: {
    lap_id: string
    user_id: string
    board_id: number
    sim: string
    car_slug: string
    ratios: unknown
  }
  lap_conflict: {
    /** `bigint`. */
    id: Generated<string>
    ingest_id: string
    user_id: string
    owner_user_id: string
    owner_lap_id: string
    created_at: Generated<Date>
  }
  standing: {
    user_id: string
    board_id: number
    combination_id: number
    version: number
    confirmed_version: Generated<number>
    complete_lap_id: string | null
    clean_lap_id: string | null
    context_id: number | null
    push_after: Generated<Date>
  }
  deleted_user: {
    user_id: string
    deleted_at: Generated<Date>
  }
  object_removal: {
    key: string
    created_at: Generated<Date>
  }
}
