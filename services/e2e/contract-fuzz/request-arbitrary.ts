import fc from 'fast-check'
import type { Operation, Schema } from './operations-of.ts'

export interface FuzzedRequest {
  readonly url: string
  /** The body as sent; undefined for none. */
  readonly body: string | undefined
  readonly as: 'nobody' | 'somebody' | 'a stranger'
}

/**
 * Returns requests to one operation: some fit its contract, some nearly fit, some are garbage. `known` has
 * values by property name that reach more code than random ones.
 */
export function requestArbitrary(operation: Operation, known: Known): fc.Arbitrary<FuzzedRequest> {
  const parameters = operation.parameters.filter(({ in: where }) => where === 'path' || where === 'query')
  const isPath = (name: string) => operation.path.includes(`{${name}}`)
  const any = parameters.map(
    ({ name, schema }) => [name, textFor(name, schema, known, isPath(name) ? 1 : 0)] as const,
  )
  // With several parameters, random values are hardly ever valid together.
  const right = parameters.map(({ name, schema }, index) => {
    const values = known[name] ?? schema.enum
    return values === undefined ? any[index]! : ([name, fc.constantFrom(...values.map(String))] as const)
  })
  const required = parameters.filter(parameter => parameter.required).map(({ name }) => name)
  return fc
    .record({
      values: fc.oneof(recordOf(any, required.filter(isPath)), recordOf(right, required)),
      body: operation.body === null ? fc.constant(undefined) : bodyFor(operation.body, known),
      as: fc.oneof(
        { weight: 4, arbitrary: fc.constant('somebody' as const) },
        { weight: 2, arbitrary: fc.constant('nobody' as const) },
        { weight: 1, arbitrary: fc.constant('a stranger' as const) },
      ),
    })
    .map(({ values, body, as }) => {
      const query = new URLSearchParams(Object.entries(values).filter(([name]) => !isPath(name)))
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodePart(values[name] ?? 'x'))
      return { url: query.size === 0 ? path : `${path}?${query}`, body, as }
    })
}

function recordOf(
  entries: readonly (readonly [string, fc.Arbitrary<string>])[],
  requiredKeys: readonly string[],
): fc.Arbitrary<Readonly<Record<string, string>>> {
  return fc.record(Object.fromEntries(entries), { requiredKeys: [...requiredKeys] })
}

export type Known = Readonly<Record<string, readonly unknown[]>>

/** Encodes a path segment. A segment of dots alone would change the address. */
function encodePart(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/^\.{1,2}$/, dots => dots.replaceAll('.', '%2E'))
}

const nastyTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  'null',
  '../../etc/passwd',
  "'; drop table person; --",
  '%00',
  '\\u0000',
  'a\0b',
  '🏁'.repeat(50),
  'a\r\nb: c',
  '\u202e',
  'Ω'.repeat(300),
  '-1',
  '1e999',
]

function textFor(name: string, schema: Schema, known: Known, minLength: number): fc.Arbitrary<string> {
  const most = schema.maxLength ?? 200
  const texts = [...(known[name] ?? []), ...(schema.enum ?? [])].map(String)
  return fc.oneof(
    ...(texts.length > 0 ? [{ weight: 4, arbitrary: fc.constantFrom(...texts) }] : []),
    { weight: 3, arbitrary: fc.constantFrom(...nastyTexts.filter(text => text.length >= minLength)) },
    { weight: 3, arbitrary: fc.string({ unit: 'binary', minLength, maxLength: 60 }) },
    // Exactly at the limit, and one above it.
    { weight: 1, arbitrary: fc.constantFrom(most, most + 1).map(length => 'x'.repeat(length)) },
  )
}

function bodyFor(schema: Schema, known: Known): fc.Arbitrary<string | undefined> {
  const fitting = valueFor('', schema, known)
  return fc.oneof(
    { weight: 8, arbitrary: fitting.map(value => JSON.stringify(value)) },
    {
      weight: 4,
      arbitrary: fc.tuple(fitting, oddity).map(([value, odd]) => JSON.stringify(spoil(value, odd))),
    },
    { weight: 2, arbitrary: fc.json() },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '{', '[]', 'null', '"', '{"a":1e999}', '{"__proto__":{"a":1}}'),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 50 }) },
  )
}

/** Selects the property to change, modulo their number, and its new value; undefined removes it. */
const oddity = fc.record({
  at: fc.nat(20),
  value: fc.oneof(
    fc.constantFrom(undefined, null, true, -1, 1.5, 1e308, '', [], {}, [[]], { length: 1 }),
    fc.jsonValue({ maxDepth: 2 }),
  ),
})

function spoil(value: unknown, odd: { readonly at: number; readonly value: unknown }): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return odd.value ?? null
  const names = Object.keys(value)
  const name = names[odd.at % (names.length + 1)] ?? 'unexpected'
  return { ...value, [name]: odd.value }
}

function valueFor(name: string, schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const wanted = known[name]
  const plain = plainValue(name, schema, known)
  return wanted === undefined || typeof schema.type !== 'string'
    ? plain
    : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...wanted) }, { weight: 1, arbitrary: plain })
}

function plainValue(name: string, schema: Schema, known: Known): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'string':
      return textFor(name, schema, known, 0)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.oneof(fc.integer({ min: -1, max: 200 }), fc.maxSafeInteger())
    case 'number':
      return fc.oneof(fc.integer({ min: -1, max: 200 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
    case 'array':
      return fc.array(valueFor('', schema.items ?? {}, known), {
        maxLength: Math.min(schema.maxItems ?? 5, 101),
      })
    case 'object': {
      const properties = Object.entries(schema.properties ?? {})
      if (properties.length === 0)
        return fc.dictionary(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 2 }))
      return fc.record(
        Object.fromEntries(properties.map(([key, value]) => [key, valueFor(key, value, known)])),
        { requiredKeys: [...(schema.required ?? [])] },
      )
    }
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}
