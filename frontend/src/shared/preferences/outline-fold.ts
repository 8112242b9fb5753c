import { localChoice } from '#shared/storage/local-store.ts'

/** Whether the outline is folded, which leaves its height to the traces. */
export const outlineFold = localChoice<'open' | 'folded'>('lapwing.outline', 'open', 'folded')
