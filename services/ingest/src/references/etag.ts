import type { AcceptedFormat } from '@lapwing/http'

/**
 * The strong tag of an answer's bytes. The stored object is one of the forms and its hash is the tag; the
 * others are made of it, always the same, so their tag is that hash and the form.
 */
export function etagOf(hash: string, { representation, encoding }: AcceptedFormat): string {
  if (representation === 'protobuf' && encoding === 'gzip') return `"${hash}"`
  return `"${hash}.${representation === 'json' ? JSON_FORM : 'p'}${encoding === 'gzip' ? 'z' : ''}"`
}

/** Counted up whenever the same columns give other JSON. */
const JSON_FORM = 'j1'
