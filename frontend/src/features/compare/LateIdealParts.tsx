import { latePart } from '#shared/ui/late-part.tsx'

/** Loads when the ideal lap is chosen, because the first visit does not need it. */
export const LateIdealParts = latePart(async () => (await import('./IdealParts.tsx')).IdealParts)
