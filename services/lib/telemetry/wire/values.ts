import { malformed } from './parse-message.ts'

/** Returns the field for `create`, or no field for null: an optional field without a value is absent. */
export function present<K extends string, V>(key: K, value: V | null): { [P in K]?: V } {
  return (value === null ? {} : { [key]: value }) as { [P in K]?: V }
}

/**
 * Returns the value if it is one of `values`, null if it is absent. Throws a `WireError` for any other value.
 */
export function oneOf<T>(values: readonly T[], value: unknown, detail: string): T | null {
  if (value === undefined) return null
  const known = values.find(each => each === value)
  if (known === undefined) throw malformed(detail)
  return known
}
