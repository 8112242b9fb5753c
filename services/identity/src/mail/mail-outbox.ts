import { randomUUID } from 'node:crypto'
import type { Cipher } from '../crypto/cipher.ts'
import type { Work } from '../work.ts'
import { type MailData, type MailKind, mails } from './mails.ts'
import { type RenderedMail, renderMail } from './render-mail.ts'

export interface OutgoingMail extends RenderedMail {
  readonly to: string
}

/** Writes a mail to the outbox as part of a change: it is sent if and only if the change commits. */
export type EnqueueMail = <Kind extends MailKind>(
  work: Work,
  kind: Kind,
  to: string,
  data: MailData<Kind>,
  /** Minutes after which the mail is no longer sent; 60 by default. */
  minutes?: number,
) => Promise<void>

export function createEnqueueMail(options: { cipher: Cipher; projectName: string }): EnqueueMail {
  const { cipher, projectName } = options
  return async ({ trx, now }, kind, to, data, minutes = 60) => {
    const mailId = randomUUID()
    const text = (mails[kind] as (data: MailData<typeof kind>) => ReturnType<(typeof mails)[MailKind]>)(data)
    const mail: OutgoingMail = { to, ...renderMail(projectName, text) }
    await trx
      .insertInto('mail_outbox')
      .values({
        mail_id: mailId,
        kind,
        content_sealed: cipher.seal(padded(JSON.stringify(mail)), mailLabel(mailId)),
        created_at: now,
        worthless_at: new Date(now.getTime() + minutes * 60_000),
        next_attempt_at: now,
        finished_at: null,
      })
      .execute()
  }
}

/**
 * Pads a mail with spaces, which JSON ignores at the end. Mails of equal size take equal time, so that
 * neither reveals which mail was sent.
 */
function padded(json: string): string {
  const blockSize = 4_096
  return json.padEnd(Math.ceil(json.length / blockSize) * blockSize)
}

export const mailLabel = (mailId: string) => `mail ${mailId}`
