import { finite, optional, orNull, type Shape, text } from '#shared/api/shapes.ts'
import type { SessionKind } from './lap-facts.ts'

/** Kinds that are newer than this page have no words here, so the page skips them. */
const kind = optional(orNull(text)) as Shape<SessionKind | null | undefined>
const number = optional(orNull(finite))

/** Shapes of `LapConditions`. */
export const conditionShapes = { session_kind: kind, air_temp_c: number, skies: number }

export const factShapes = { ...conditionShapes, driven_at: optional(orNull(text)) }
