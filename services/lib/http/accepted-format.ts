import Negotiator from 'negotiator'

/** In which form the client would like columns. */
export interface AcceptedFormat {
  readonly representation: 'json' | 'protobuf'
  readonly encoding: 'gzip' | 'identity'
}

/** JSON and no compression unless the client asks for more; it is never refused for what it asks. */
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
