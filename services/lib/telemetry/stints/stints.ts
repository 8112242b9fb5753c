export {
  type AlignedLap,
  alignLap,
  bestMiniSectors,
  type CornerSpread,
  cornerSpreads,
  miniSectorLosses,
  usualLosses,
} from './aligned-lap.ts'
export { findStints, fuelALap, type Stint, type StintChange, stintChanges } from './find-stints.ts'
export { LAP_KINDS, type LapKind, lapKinds } from './lap-kinds.ts'
export { isInTraffic, type LapLog, LOG_CHANNELS, lapLogs } from './lap-log.ts'
export { type LapSpread, lapSpread } from './lap-spread.ts'
export { type MeasuredLaps, measuredLaps, type TimedLap } from './measured-laps.ts'
export { drivenBest, type SectorBest, type SectorBests, sectorBests } from './sector-bests.ts'
export { trackOutline } from './track-outline.ts'
