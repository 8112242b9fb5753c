import Negotiator from 'negotiator'

/** In which form the client would like columns. */
export interface Wish {
  readonly representation: 'json' | 'protobuf'
  readonly encoding: 'gzip' | 'identity'
}

/** JSON and no compression unless the client asks for more; it is never refused for what it asks. */
export function wishOf(headers: Readonly<Record<string, string | string[] | undefined>>): Wish {
  const negotiator = new Negotiator({ headers })
  const type = negotiator.mediaType(['application/json', 'application/x-protobuf'])
  return {
    representation: type === 'application/x-protobuf' ? 'protobuf' : 'json',
    encoding: negotiator.encoding(['gzip', 'identity']) === 'gzip' ? 'gzip' : 'identity',
  }
}
