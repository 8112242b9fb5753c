import { randomUUID } from 'node:crypto'
import type { Cipher } from '../crypto/cipher.ts'
import type { Work } from '../work.ts'
import type { TextChannel } from './config.ts'
import type { TextKind } from './texts.ts'

export interface OutgoingText {
  readonly channel: TextChannel
  /** E.164. */
  readonly to: string
  readonly words: string
  /** The code within the words; null without one. */
  readonly code: string | null
}

/** Writes a text to the outbox as part of a change: it is sent if and only if the change commits. */
export type EnqueueText = (work: Work, kind: TextKind, text: OutgoingText, minutes: number) => Promise<void>

export function createEnqueueText({ cipher }: { cipher: Cipher }): EnqueueText {
  return async ({ trx, now }, kind, text, minutes) => {
    const textId = randomUUID()
    await trx
      .insertInto('text_outbox')
      .values({
        text_id: textId,
        kind,
        // Of equal size, so that the time of an answer does not reveal which text was sent.
        content_sealed: cipher.seal(JSON.stringify(text).padEnd(BLOCK_SIZE), textLabel(textId)),
        created_at: now,
        worthless_at: new Date(now.getTime() + minutes * 60_000),
        next_attempt_at: now,
        finished_at: null,
      })
      .execute()
  }
}

/** Characters of JSON, which ignores spaces at its end. */
const BLOCK_SIZE = 1_024

export const textLabel = (textId: string) => `text ${textId}`
