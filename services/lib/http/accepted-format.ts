import Negotiator from 'negotiator'

/** The format in which a client accepts columns. */
export interface AcceptedFormat {
  readonly representation: 'json' | 'protobuf'
  readonly encoding: 'gzip' | 'identity'
}

/**
 * Returns JSON without compression unless the client accepts more. Never refuses a client for its headers.
 */
export function acceptedFormatOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): AcceptedFormat {
  const negotiator = new Negotiator({ headers })
  const type = negotiator.mediaType(['application/json', 'application/x-protobuf'])
  return {
    representation: type === 'application/x-protobuf' ? 'protobuf' : 'json',
    encoding: negotiator.encoding(['gzip', 'identity']) === 'gzip' ? 'gzip' : 'identity',
  }
}
