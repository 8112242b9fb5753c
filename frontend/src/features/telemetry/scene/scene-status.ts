/** What a driver must know of the scene, beside its picture. */
export interface SceneStatus {
  /** Why there is no scene; null if there is one. */
  readonly problem: 'no-positions' | 'no-webgl' | null
  /** Whether the graphics card has stopped drawing. */
  readonly isLost: boolean
  /** Whether the lap has no altitude. */
  readonly isFlat: boolean
  /** The ground of a source: `none` without one, `waiting` until its first tile. */
  readonly photo: 'none' | 'waiting' | 'shown'
  /** Why a source is not shown; null if none failed. */
  readonly photoNote: string | null
  /** The credits of the visible pictures; empty without them. */
  readonly credit: string
  /** The scene in words. */
  readonly description: string
}

/** Before a lap is drawn. */
export const FIRST_STATUS: SceneStatus = {
  problem: null,
  isLost: false,
  isFlat: false,
  photo: 'none',
  photoNote: null,
  credit: '',
  description: '',
}
