/** Each way in which a file can be unreadable: a stable code and the sentence for the driver. */
export const IBT_ERRORS = {
  'ibt.empty': 'This file is empty. iRacing may have stopped before it wrote anything.',
  'ibt.not_telemetry': 'This is not an iRacing telemetry file, although its name ends in .ibt.',
  'ibt.memory_dump': 'This is a dump of the live telemetry memory, not a recorded telemetry file.',
  'ibt.truncated': 'This file ends before its first sample. It was probably cut while it was copied.',
  'ibt.bad_header': 'The header of this file is damaged, so its samples cannot be found.',
  'ibt.too_large': 'This file claims more samples than Lapwing reads at once.',
  'ibt.too_many_laps': 'This file crosses the line more often than any session can.',
  'ibt.missing_channel': 'This file lacks a channel that is needed to find laps.',
} as const

export type IbtErrorCode = keyof typeof IBT_ERRORS

/**
 * Reports why a file cannot be read. `message` can be shown to the driver; `detail` is for logs and holds no
 * content of the file.
 */
export class IbtError extends Error {
  readonly code: IbtErrorCode
  readonly detail: string | undefined

  constructor(code: IbtErrorCode, detail?: string) {
    super(IBT_ERRORS[code])
    this.name = 'IbtError'
    this.code = code
    this.detail = detail
  }
}
