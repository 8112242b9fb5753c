export {
  type Corner,
  type FoundCorner,
  isSameRoad,
  type NumberedCorner,
  numberCorners,
} from '../corners/corner.ts'
export { findTrackCorners } from '../corners/find-track-corners.ts'
export { cornerName, nameCorners, type TrackName } from '../corners/name-corners.ts'
export { type CornerComparison, compareCorners } from './compare-corners.ts'
export { type CornerFigures, type Manner, mannerOf } from './corner-figures.ts'
export { type DeltaTrace, deltaTrace } from './delta-trace.ts'
export type { IncidentPart } from './incident-parts.ts'
export {
  type LapTrack,
  lapTrack,
  MAX_POINTS,
  MIN_POINTS,
  type PreviewSource,
  type TrackIncident,
} from './lap-track.ts'
export { MINI_SECTORS, miniSectorTimes } from './mini-sectors.ts'
export type { Combination, Reference, ReferenceFacts } from './reference.ts'
export { decodeReference, encodeReference } from './reference-codec.ts'
export { type ReferenceJson, referenceToJson } from './reference-to-json.ts'
export { type SavedLapFacts, trackPreview } from './track-preview.ts'
