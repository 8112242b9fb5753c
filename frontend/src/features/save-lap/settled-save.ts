import { fieldsOf, orNull, parseJson, text } from '#shared/api/shapes.ts'
import type { SavePhase } from './save-lap-store.ts'

/** How the saving of a file ended, in a form that is still true when the file is opened again. */
export type SettledSave = Extract<SavePhase, { kind: 'skipped' | 'cancelled' }>

/**
 * Returns a text that remembers how the saving of a driver's file ended; null while it has not ended, or if it
 * failed, so that it is tried again when the file is opened again.
 */
export function formatSettledSave(userId: string, phase: SavePhase): string | null {
  switch (phase.kind) {
    case 'saved':
      return JSON.stringify({ userId, reason: 'already_ingested' })
    case 'skipped':
      return JSON.stringify({ userId, reason: phase.reason })
    case 'cancelled':
      return JSON.stringify({ userId, reason: null })
    default:
      return null
  }
}

/** Returns how the saving ended by such a text; null if the text is of another driver, or none at all. */
export function parseSettledSave(note: string | null, userId: string): SettledSave | null {
  const settled = parseJson(isSettled, note)
  if (settled?.userId !== userId) return null
  return settled.reason === null ? { kind: 'cancelled' } : { kind: 'skipped', reason: settled.reason }
}

const isSettled = fieldsOf<{ readonly userId: string; readonly reason: string | null }>({
  userId: text,
  reason: orNull(text),
})
