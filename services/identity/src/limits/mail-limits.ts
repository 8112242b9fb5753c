import type { Trx } from '../database.ts'
import { type Counter, HOUR_MS, MINUTE_MS } from './counter.ts'

/** Mails an hour of one purpose to one address that one network, or one known browser, requests. */
const PER_REQUESTER = 10
/** Mails an hour of one purpose to one address that all networks request which its account does not know. */
const PER_STRANGERS = 20
/** Mails an hour of one kind that only notify an address. */
const NOTICES = 10
/** Milliseconds between mails after those. A link lives at least as long, so that one always works. */
const SPACING_MS = 5 * MINUTE_MS

/** The client that requests a mail or a text. */
export interface Requester {
  /** Names the network, or the browser if the account of the address or number knows it. */
  readonly key: string
  /** Whether that account knows the network or the browser. */
  readonly isKnown: boolean
}

export interface MailCount {
  /** Names the address and the purpose for the limits of an hour. */
  readonly hourly: string
  /** Names the address and the purpose for the mails beyond them. */
  readonly spaced: string
  readonly requester: Requester
}

export interface MailLimits {
  /** Counts a requested mail, as part of a change. Returns false above the limits. */
  countMail(trx: Trx, mail: MailCount, now: Date): Promise<boolean>
  /** Counts a mail that only notifies an address, as part of a change. Returns false above the limit. */
  countNotice(trx: Trx, kind: string, addressKey: string, now: Date): Promise<boolean>
}

/**
 * Limits mails, so that nobody can flood a mailbox. Strangers share a limit of an address. They cannot use up
 * the mails of the owner's own network and browsers.
 */
export function createMailLimits({ count }: Pick<Counter, 'count'>): MailLimits {
  const isWithin = async (trx: Trx, bucket: string, at: Date, limit: number, windowMs: number) =>
    (await count(trx, bucket, at, windowMs)).count <= limit

  return {
    async countMail(trx, { hourly, spaced, requester }, at) {
      // In this order in every change, to prevent deadlocks.
      const isAllowed =
        (await isWithin(trx, `${hourly} ${requester.key}`, at, PER_REQUESTER, HOUR_MS)) &&
        (requester.isKnown || (await isWithin(trx, `${hourly} strangers`, at, PER_STRANGERS, HOUR_MS)))
      return isAllowed || isWithin(trx, `${spaced} spaced`, at, 1, SPACING_MS)
    },
    async countNotice(trx, kind, addressKey, at) {
      const bucket = `notice ${kind} ${addressKey}`
      return (
        (await isWithin(trx, bucket, at, NOTICES, HOUR_MS)) ||
        isWithin(trx, `${bucket} spaced`, at, 1, SPACING_MS)
      )
    },
  }
}
