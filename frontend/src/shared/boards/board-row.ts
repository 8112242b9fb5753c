import type { components } from '@lapwing/contracts/leaderboard'

/** A driver's place on a board. */
export type BoardRow = Readonly<components['schemas']['Row']>
