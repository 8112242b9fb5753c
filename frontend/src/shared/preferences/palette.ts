import { localChoice } from '#shared/storage/local-store.ts'

/** Colours of pedals, gains and losses (D-20). `styles/tokens.css` has both sets. */
type Palette = 'standard' | 'colour-blind'

export const palette = localChoice<Palette>('lapwing.palette', 'standard', 'colour-blind')
