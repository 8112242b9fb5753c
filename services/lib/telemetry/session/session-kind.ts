/** Kinds of simulator sessions. */
export const SESSION_KINDS = ['testing', 'practice', 'qualifying', 'warmup', 'race', 'time_trial'] as const

export type SessionKind = (typeof SESSION_KINDS)[number]

/** Words of `SessionType`, and the kind that each one means. The first that occurs decides. */
const WORDS: readonly (readonly [word: string, kind: SessionKind])[] = [
  ['testing', 'testing'],
  ['qualif', 'qualifying'],
  ['warm', 'warmup'],
  ['time trial', 'time_trial'],
  ['practice', 'practice'],
  ['race', 'race'],
  ['heat', 'race'],
]

/**
 * Returns the kind of a simulator session by its `SessionType`, such as `Lone Qualify`; null for an unknown one. The
 * text itself is free text of a file, which other drivers never see.
 */
export function sessionKindOf(sessionType: string | null | undefined): SessionKind | null {
  const text = sessionType?.toLowerCase() ?? ''
  return WORDS.find(([word]) => text.includes(word))?.[1] ?? null
}
