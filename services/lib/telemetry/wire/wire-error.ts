/** Each way in which a message can be unreadable: a stable code and the sentence for the driver. */
export const WIRE_ERRORS = {
  'wire.malformed': 'The answer of the server cannot be read.',
  'wire.too_many_parts': 'The answer of the server has more laps or columns than Lapwing reads.',
} as const

export type WireErrorCode = keyof typeof WIRE_ERRORS

/**
 * Reports why a message cannot be decoded. `message` can be shown to the driver; `detail` is for logs and
 * holds no content of the message.
 */
export class WireError extends Error {
  readonly code: WireErrorCode
  readonly detail: string

  constructor(code: WireErrorCode, detail: string, options?: ErrorOptions) {
    super(WIRE_ERRORS[code], options)
    this.name = 'WireError'
    this.code = code
    this.detail = detail
  }
}
