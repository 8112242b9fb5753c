import type { EventTables } from '@lapwing/events'
import type { Generated, Kysely, Transaction } from 'kysely'

/** Schema `account`. Row types stay in the repositories. */
export interface Database extends EventTables {
  profile: {
    user_id: string
    username: string
    username_key: string
    is_default: boolean
    created_at: Generated<Date>
    changed_at: Date | null
  }
  consent: {
    user_id: string
    waitlist: boolean
    marketing: boolean
    updated_at: Generated<Date>
  }
  waitlist_member: {
    place: Generated<string>
    user_id: string
    joined_at: Generated<Date>
  }
  billing_customer: {
    user_id: string
    customer_id: string
    created_at: Generated<Date>
  }
  names_announced: {
    subscriber: string
    announced_at: Generated<Date>
  }
  deleted_account: {
    user_id: string
    deleted_at: Generated<Date>
  }
}

export type Db = Kysely<Database>
export type Trx = Transaction<Database>
