import type { PhotoSource } from '#shared/config/map-sources.ts'
import type { GroundBox } from './camera-pose.ts'
import type { SceneStatus } from './scene-status.ts'

/** Explains why there is no scene; null if there is one. */
export function sceneProblem({ problem }: Pick<SceneStatus, 'problem'>): string | null {
  if (problem === 'no-positions') {
    return 'This lap holds no positions, so there is nothing to draw in 3D. The traces below show the lap.'
  }
  if (problem === 'no-webgl') {
    return 'Your browser has no WebGL, which the 3D view needs. The Outline shows the lap without it.'
  }
  return null
}

/** Explains what the scene lacks; null if nothing. */
export function sceneNote({
  isLost,
  isFlat,
  photoNote,
}: Pick<SceneStatus, 'isLost' | 'isFlat' | 'photoNote'>): string | null {
  if (isLost) return 'Your graphics card stopped drawing. It continues by itself when the card is back.'
  if (photoNote) return photoNote
  if (isFlat) return 'This lap holds no altitude, so the ground is flat.'
  return null
}

const NAMES: Readonly<Record<PhotoSource['kind'], string>> = {
  google: 'Google',
  ion: 'Cesium ion',
  tiles: 'The server of the 3D pictures',
  terrain: 'The server of the terrain',
}

/** Explains that a source failed, and what the view shows in its place. */
export function photoWords(kind: PhotoSource['kind'], status: number | null, hasNext: boolean): string {
  const instead = hasNext ? 'the next source of pictures' : 'our own ground'
  return status === 401 || status === 403
    ? `${NAMES[kind]} refuses the key of this site (${status}), so the view shows ${instead}.`
    : `${NAMES[kind]} sends no pictures, so the view shows ${instead}.`
}

/** Describes the scene for readers who do not see it: size of the lap, and how the keys work. */
export function describeScene(name: string, { west, east, north, south }: GroundBox): string {
  const km = (metres: number) => `${(metres / 1000).toFixed(1)} km`
  return (
    `${name} is drawn on the ground in 3D, ${km(east - west)} wide and ${km(south - north)} high. Arrow keys ` +
    'move along the lap. A and D turn the view, W and S tilt it, plus and minus zoom, I, J, K and L move it, ' +
    '0 shows the whole lap. Space plays the lap, F follows the car.'
  )
}
