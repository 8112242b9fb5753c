import type { AcceptedFormat } from '@lapwing/http'

/**
 * Returns the strong tag of an answer's bytes. The stored object is one of the forms, and its hash is the
 * tag. The other forms are always made of it in the same way, so their tag is that hash and the form.
 */
export function etagOf(hash: string, { representation, encoding }: AcceptedFormat): string {
  if (representation === 'protobuf' && encoding === 'gzip') return `"${hash}"`
  return `"${hash}.${representation === 'json' ? JSON_FORM : 'p'}${encoding === 'gzip' ? 'z' : ''}"`
}

/** Must change whenever the same columns give different JSON. */
const JSON_FORM = 'j1'
