import { localStore } from '#shared/storage/local-store.ts'
import { createPreference, oneOf } from '#shared/storage/preference.ts'

/** Colours of pedals, gains and losses (D-20). `styles/tokens.css` has both sets. */
export type Palette = 'standard' | 'colour-blind'

export const palette = createPreference<Palette>({
  key: 'lapwing.palette',
  store: localStore,
  ...oneOf(['standard', 'colour-blind']),
  otherTabs: globalThis.window,
})
