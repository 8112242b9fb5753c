import { fieldsOf, orNull, parseJson, text } from '#shared/api/shapes.ts'
import type { SavePhase } from './save-lap-store.ts'

/** The end of a file's save, in a form that is still true when the file opens again. */
export type SettledSave = Extract<SavePhase, { kind: 'skipped' | 'cancelled' }>

/** The reason for a file of which only the best lap was saved. The server knows none like it. */
export const LAP_SAVED = 'lap_saved'

/**
 * Formats how the save of a driver's file ended, or that of its best lap alone. Returns null if it has not ended, or
 * failed, so that the save runs again when the file opens again.
 */
export function formatSettledSave(userId: string, phase: SavePhase, isLapAlone: boolean): string | null {
  switch (phase.kind) {
    case 'saved':
      return JSON.stringify({ userId, reason: isLapAlone ? LAP_SAVED : 'already_ingested' })
    case 'skipped':
      return JSON.stringify({ userId, reason: phase.reason })
    case 'cancelled':
      return JSON.stringify({ userId, reason: null })
    default:
      return null
  }
}

/** Parses such a text. Returns null for null, for another driver's text, and for any other text. */
export function parseSettledSave(note: string | null, userId: string): SettledSave | null {
  const settled = parseJson(isSettled, note)
  if (settled?.userId !== userId) return null
  return settled.reason === null ? { kind: 'cancelled' } : { kind: 'skipped', reason: settled.reason }
}

const isSettled = fieldsOf<{ readonly userId: string; readonly reason: string | null }>({
  userId: text,
  reason: orNull(text),
})
