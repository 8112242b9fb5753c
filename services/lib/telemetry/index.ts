export { type ByteSource, bytesSource } from './byte-source.ts'
export type { Column, Columns, ColumnValues, Variable, VariableType } from './columns.ts'
export { IBT_ERRORS, IbtError, type IbtErrorCode } from './ibt/ibt-error.ts'
export type { IbtFile } from './ibt/ibt-file.ts'
export * as ibtLimits from './ibt/limits.ts'
export { openIbt } from './ibt/open-ibt.ts'
export { type ReadColumnsOptions, readColumns } from './ibt/read-columns.ts'
export type { IncompleteReason, Lap, LapReason, UncleanReason } from './laps/lap.ts'
export type {
  Preview,
  PreviewDebug,
  PreviewMeta,
  PreviewOptions,
  PreviewSeries,
  SeriesName,
} from './preview/preview.ts'
export type { SessionFacts } from './session/session-facts.ts'
