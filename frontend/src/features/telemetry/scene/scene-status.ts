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
  /** The credits of the visible pictures; null without pictures. */
  readonly credit: PhotoCredit | null
  /** The scene in words. */
  readonly description: string
}

/** Whom the visible pictures are from. */
export interface PhotoCredit {
  /** Whether they are Google's, also through another provider. */
  readonly isOfGoogle: boolean
  /** Address of Google's logo; null without one. */
  readonly logo: string | null
  readonly text: string
}

/** Before a lap is drawn. */
export const FIRST_STATUS: SceneStatus = {
  problem: null,
  isLost: false,
  isFlat: false,
  photo: 'none',
  photoNote: null,
  credit: null,
  description: '',
}
