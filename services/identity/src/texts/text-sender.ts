import { createOutboxSender, type OutboxSender, type OutboxSenderOptions } from '../outbox/outbox-sender.ts'
import { explainTextFailure } from './text-delivery.ts'
import { type OutgoingText, textLabel } from './text-outbox.ts'

export interface TextSenderOptions
  extends Pick<
    OutboxSenderOptions<OutgoingText>,
    'db' | 'cipher' | 'deliver' | 'now' | 'logger' | 'pollMs'
  > {}

/** Creates a sender of the texts in the outbox; see `createOutboxSender`. */
export function createTextSender(options: TextSenderOptions): OutboxSender {
  return createOutboxSender({
    ...options,
    outbox: { table: 'text_outbox', id: 'text_id' },
    labelOf: textLabel,
    explain: explainTextFailure,
    what: 'text',
  })
}

/** A sender for a deployment without a messaging provider, whose outbox stays empty. */
export const noTextSender: OutboxSender = { wake: () => {}, close: async () => {} }
