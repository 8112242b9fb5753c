import type { components } from '@lapwing/contracts/identity'
import type { EventTables } from '@lapwing/events'
import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'
import type { CodeChannel } from './codes/code-channel.ts'

type Json<Value> = ColumnType<Value, string, string>

/** Schema `identity`. Row types stay in the repositories. */
export interface Database extends EventTables {
  person: {
    user_id: string
    created_at: Date
    first_name: Generated<string>
    middle_name: Generated<string>
    last_name: Generated<string>
    roles: Generated<string[]>
    trusted_metadata: ColumnType<object, string | undefined, string>
    untrusted_metadata: ColumnType<object, string | undefined, string>
    locked_at: Date | null
    has_totp: Generated<boolean>
    webauthn_handle: Generated<string | null>
  }
  email: {
    email_id: string
    user_id: string
    address: string
    address_key: string
    verified: boolean
    created_at: Date
  }
  phone_number: {
    phone_id: string
    user_id: string
    number: string
    created_at: Date
  }
  password: {
    user_id: string
    password_id: string
    hash: string
    requires_reset: Generated<boolean>
    set_at: Date
  }
  oauth_registration: {
    oauth_user_registration_id: string
    user_id: string
    provider_type: string
    provider_subject: string
    profile_picture_url: Generated<string>
    locale: Generated<string>
    created_at: Date
  }
  totp: {
    totp_id: string
    user_id: string
    secret_sealed: Buffer
    verified: Generated<boolean>
    /** A bigint, which the driver returns as text. */
    last_step: Generated<string | null>
    created_at: Date
    expires_at: Date
  }
  recovery_code: {
    recovery_code_id: string
    totp_id: string
    code_sealed: Buffer
    code_digest: Buffer
    used_at: Date | null
  }
  webauthn_registration: {
    webauthn_registration_id: string
    user_id: string
    credential_id: string
    public_key: Buffer
    /** A bigint, which the driver returns as text. */
    counter: ColumnType<string, number, number>
    transports: string[]
    domain: string
    authenticator_type: string
    user_agent: string
    name: string
    created_at: Date
  }
  crypto_wallet: {
    crypto_wallet_id: string
    user_id: string
    wallet_type: string
    address: string
    created_at: Date
  }
  wallet_challenge: {
    nonce: string
    wallet_type: string
    address: string
    requester: Buffer
    user_id: string | null
    message: string
    valid_from: Date
    created_at: Date
    expires_at: Date
  }
  trusted_profile: {
    profile_id: string
    issuer: string
    audience: string
    keys_url: string
    created_at: Date
  }
  impersonation: {
    impersonation_id: string
    user_id: string | null
    operator: string
    reason: string
    issued_at: Date
    used_at: Date | null
    session_id: string | null
  }
  session: {
    session_id: string
    user_id: string
    token_hash: Buffer
    started_at: Date
    last_accessed_at: Date
    expires_at: Date
    jwt_expires_at: Date
    ip_address: string
    user_agent: string
    factors: Json<readonly SessionFactor[]>
  }
  revoked_session: {
    session_id: string
    revoked_at: Date
    jwt_expires_at: Date
  }
  token: {
    token_hash: Buffer
    kind: string
    user_id: string | null
    address: string | null
    address_key: string | null
    data: ColumnType<Readonly<Record<string, unknown>>, string | undefined, string>
    code_challenges: Generated<string[]>
    purpose: string | null
    created_at: Date
    expires_at: Date
    used_at: Date | null
  }
  oauth_state: {
    state_hash: Buffer
    used_at: Date
  }
  code: {
    method_id: string
    code_hash: Buffer
    address: string
    address_key: string
    channel: ColumnType<CodeChannel, CodeChannel | undefined, never>
    may_create: boolean
    user_id: string | null
    purpose: string | null
    requester: Buffer | null
    tries: Generated<number>
    created_at: Date
    expires_at: Date
    used_at: Date | null
  }
  known_origin: {
    user_id: string
    digest: Buffer
    kind: 'browser' | 'network'
    seen_at: Date
  }
  attempt: {
    bucket: Buffer
    count: number
    window_ends_at: Date
  }
  signing_key: {
    kid: string
    public_jwk: Json<PublicJwk>
    private_key_sealed: Buffer
    created_at: Date
    signs_from: Date
    retires_at: Date | null
  }
  connected_app: {
    client_id: string
    name: string
    description: string
    secret_hash: Buffer | null
    redirect_uris: string[]
    post_logout_redirect_uris: string[]
    scopes: string[]
    created_at: Date
    disabled_at: Date | null
  }
  consent_grant: {
    user_id: string
    client_id: string
    scopes: string[]
    created_at: Date
    updated_at: Date
  }
  app_authorization: {
    authorization_id: string
    user_id: string
    client_id: string
    scopes: string[]
    redirect_uri: string
    nonce: string | null
    code_hash: Buffer
    code_challenge: string
    code_expires_at: Date
    code_used_at: Date | null
    signed_in_at: Date
    created_at: Date
    access_expires_at: Date
    expires_at: Date
  }
  app_refresh_token: {
    token_hash: Buffer
    authorization_id: string
    created_at: Date
    used_at: Date | null
  }
  app_event: {
    event_id: string
    happened_at: Date
    kind: string
    client_id: string
    user_id: string | null
    scopes: string[]
  }
  organization: {
    organization_id: string
    name: string
    allowed_methods: components['schemas']['AuthMethod'][]
    created_at: Date
    disabled_at: Date | null
  }
  organization_domain: {
    domain: string
    organization_id: string
  }
  sso_connection: {
    connection_id: string
    organization_id: string
    display_name: string
    issuer: string
    client_id: string
    secret_sealed: Buffer
    client_auth: 'form' | 'basic'
    authorize_url: string
    token_url: string
    keys_url: string
    profile_url: string | null
    created_at: Date
  }
  organization_member: {
    user_id: string
    organization_id: string
    joined_at: Date
  }
  organization_event: {
    event_id: string
    happened_at: Date
    kind: string
    organization_id: string
    user_id: string | null
    details: Json<Readonly<Record<string, unknown>>>
  }
  mail_outbox: OutboxTable & { mail_id: string }
  text_outbox: OutboxTable & { text_id: string }
  text_refusal: {
    digest: Buffer
    refused_at: Date
  }
}

/** What the outboxes of mails and texts share. */
interface OutboxTable {
  kind: string
  content_sealed: Buffer | null
  created_at: Date
  worthless_at: Date
  attempts: Generated<number>
  next_attempt_at: Date
  finished_at: Date | null
}

export type Db = Kysely<Database>
export type Trx = Transaction<Database>

/** A way in which a person signed in to a session, in the protocol's names. */
export interface SessionFactor {
  readonly type: string
  readonly delivery_method: string
  readonly last_authenticated_at: string
  readonly created_at: string
  readonly updated_at: string
  /** The detail object, such as `email_factor`. */
  readonly [detail: string]: unknown
}

export interface PublicJwk {
  readonly kty: string
  readonly n: string
  readonly e: string
}
