export { type ByteSource, bytesSource } from './byte-source.ts'
export type { Column, Columns, ColumnValues, Variable, VariableType } from './columns.ts'
export { inputKeys } from './fingerprint/input-keys.ts'
export { isPartlySameLap, isSameLap } from './fingerprint/is-same-lap.ts'
export { type LapFingerprint, lapFingerprint, trackFingerprint } from './fingerprint/lap-fingerprint.ts'
export { IBT_ERRORS, IbtError, type IbtErrorCode } from './ibt/ibt-error.ts'
export type { IbtFile } from './ibt/ibt-file.ts'
export { HEADERS_BYTES as IBT_HEADER_BYTES } from './ibt/layout.ts'
export * as ibtLimits from './ibt/limits.ts'
export { openIbt } from './ibt/open-ibt.ts'
export { type ReadColumnsOptions, readColumns } from './ibt/read-columns.ts'
export { type IbtHeader, readHeader as readIbtHeader } from './ibt/read-header.ts'
export { rowsOf } from './ibt/rows-of.ts'
export { drivenAt } from './laps/driven-at.ts'
export { findLaps } from './laps/find-laps.ts'
export { formatLapTime } from './laps/format-lap-time.ts'
export type { IncompleteReason, Lap, LapFigures, LapReason, UncleanReason } from './laps/lap.ts'
export { LAP_CHANNELS, type LapChannel } from './laps/lap-channels.ts'
export type { LapFacts } from './laps/lap-data.ts'
export { lapTimeMs } from './laps/lap-time-ms.ts'
export {
  findSoftContradictions,
  type LapPhysics,
  type SoftContradiction,
} from './laps/physics/find-soft-contradictions.ts'
export { type GearRatio, type GearRatios, hasOtherGears, sharesNoGear } from './laps/physics/gear-ratios.ts'
export { REVIEW_CHANNELS } from './laps/physics/joins.ts'
export type {
  Preview,
  PreviewDebug,
  PreviewMeta,
  PreviewOptions,
  PreviewSeries,
  SeriesName,
} from './preview/preview.ts'
export { PREVIEW_CHANNELS } from './preview/preview-channels.ts'
export { lapDataOf, PREVIEW_COLUMNS, previewOf, previewSession } from './preview/preview-session.ts'
export { type PreviewJson, previewToJson } from './preview/preview-to-json.ts'
export { slug } from './preview/slug.ts'
export { previewTexts, stringifyPreview } from './preview/stringify-preview.ts'
export { driverNumberOf } from './session/driver-number.ts'
export type { SessionFacts } from './session/session-facts.ts'
export { SESSION_KINDS, type SessionKind, sessionKindOf } from './session/session-kind.ts'
export { OUTLINE_SIZE } from './summary/lap-outline.ts'
export { type LapSummary, type SessionSummary, summariseSession } from './summary/summarise-session.ts'
