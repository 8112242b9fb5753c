import { latePart } from '#shared/ui/late-part.tsx'

/** Loads with the first comparison, because the first visit does not need it. */
export const LateTimeLost = latePart(async () => (await import('./TimeLost.tsx')).TimeLost)
