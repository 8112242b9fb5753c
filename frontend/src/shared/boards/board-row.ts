import type { components } from '@lapwing/contracts/leaderboard'

/** A driver's entry on a board. */
export type BoardRow = Readonly<components['schemas']['Row']>
