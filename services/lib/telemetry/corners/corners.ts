export { agreeOnCorners } from './agree-corners.ts'
export {
  type CornerBounds,
  type FoundCorner,
  isSameRoad,
  MAX_CORNERS,
  type NumberedCorner,
  numberCorners,
} from './corner.ts'
export { findTrackCorners } from './find-track-corners.ts'
export { nameCorners, type TrackName } from './name-corners.ts'
export { refineCorners, type TrackCorner, type TrackCorners } from './refine-corners.ts'
