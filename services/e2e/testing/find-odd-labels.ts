import type { CollectedSpan } from '@lapwing/testing/trace-collector.ts'

/**
 * Returns the values of labels that could hold an id, an address, a query, a token or a signature by mistake. Values
 * that the code fixes are short and plain.
 *
 * @param text what a process answers to `/metrics`
 */
export function findOddLabels(text: string): readonly string[] {
  const values = new Set([...text.matchAll(/="((?:[^"\\]|\\.)*)"/g)].map(([, value]) => value!))
  return [...values].filter(isOdd)
}

/** The same for the names and labels of spans. */
export function findOddSpans(spans: readonly CollectedSpan[]): readonly string[] {
  const values = spans.flatMap(({ name, labels }) => [name, ...Object.values(labels).map(String)])
  return [...new Set(values)].filter(isOdd)
}

function isOdd(value: string): boolean {
  return !PLAIN.test(value) || ID.test(value) || TOKEN.test(value)
}

const PLAIN = /^[\w /:.*+-]{1,100}$/
const ID = /[\da-f]{8}-/
/** Base64, hex and similar; the words of a route have no such length with a digit. */
const TOKEN = /(?=[\w+-]*\d)(?=[\w+-]*[A-Za-z])[\w+-]{24,}/
