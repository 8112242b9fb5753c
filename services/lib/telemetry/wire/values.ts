import { malformed } from './parse-message.ts'

/** The field for `create`, or none: an optional field is absent where there is no value. */
export function present<K extends string, V>(key: K, value: V | null): { [P in K]?: V } {
  return (value === null ? {} : { [key]: value }) as { [P in K]?: V }
}

export function keyOf<K extends string>(table: Readonly<Record<K, unknown>>, key: string, detail: string): K {
  if (!Object.hasOwn(table, key)) throw malformed(detail)
  return key as K
}

/** The value where it is one of those that may be sent, null where none was. */
export function oneOf<T>(values: readonly T[], value: unknown, detail: string): T | null {
  if (value === undefined) return null
  const known = values.find(each => each === value)
  if (known === undefined) throw malformed(detail)
  return known
}
