import { Counter } from '@lapwing/metrics'
import {
  createOutboxSender,
  OUTCOMES,
  type OutboxSender,
  type OutboxSenderOptions,
} from '../outbox/outbox-sender.ts'
import { explainTextFailure } from './text-delivery.ts'
import { type OutgoingText, textLabel } from './text-outbox.ts'

export interface TextSenderOptions
  extends Pick<
    OutboxSenderOptions<OutgoingText>,
    'db' | 'cipher' | 'deliver' | 'now' | 'logger' | 'pollMs'
  > {}

const outcomes = new Counter({
  name: 'lapwing_texts_total',
  help: 'Tries to send a text: sent, failed (tried again) or rejected permanently. Expired: given up unsent.',
  labelNames: ['outcome'],
})
/** Prometheus sees an increase only of a counter that it has read before. */
for (const outcome of OUTCOMES) outcomes.inc({ outcome }, 0)

/** Creates a sender of the texts in the outbox; see `createOutboxSender`. */
export function createTextSender(options: TextSenderOptions): OutboxSender {
  return createOutboxSender({
    ...options,
    outbox: { table: 'text_outbox', id: 'text_id' },
    labelOf: textLabel,
    explain: explainTextFailure,
    count: (outcome, number) => outcomes.inc({ outcome }, number),
    what: 'text',
  })
}

/** A sender for a deployment without a messaging provider, whose outbox stays empty. */
export const noTextSender: OutboxSender = { wake: () => {}, close: async () => {} }
