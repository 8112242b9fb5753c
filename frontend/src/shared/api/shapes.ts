/** Returns whether a value has the type of its contract. Ignores fields that the contract does not name. */
export type Shape<T> = (value: unknown) => value is T

/** An answer does not have the shape that its contract says. */
export class ShapeError extends Error {
  constructor(what: string) {
    super(`The answer of ${what} does not fit.`)
    this.name = 'ShapeError'
  }
}

/**
 * Returns the value, checked.
 *
 * @throws ShapeError if it has another shape
 */
export function fit<T>(shape: Shape<T>, value: unknown, what: string): T {
  if (!shape(value)) throw new ShapeError(what)
  return value
}

/** Parses JSON of a shape; null if the text is anything else. */
export function parseJson<T>(shape: Shape<T>, json: string | null): T | null {
  try {
    const value: unknown = JSON.parse(json ?? 'null')
    return shape(value) ? value : null
  } catch {
    return null
  }
}

export const text: Shape<string> = value => typeof value === 'string'

/** A text of at least one character. */
export const someText: Shape<string> = (value): value is string => text(value) && value !== ''

export const flag: Shape<boolean> = value => typeof value === 'boolean'

export const finite: Shape<number> = (value): value is number => Number.isFinite(value)

export const whole: Shape<number> = (value): value is number => Number.isSafeInteger(value)

export function exactly<const T extends string | boolean | null>(...values: readonly T[]): Shape<T> {
  return (value): value is T => (values as readonly unknown[]).includes(value)
}

export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return (value): value is T | null => value === null || shape(value)
}

export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value): value is T | undefined => value === undefined || shape(value)
}

export function listOf<T>(shape: Shape<T>): Shape<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(shape)
}

/** A record whose keys are not known in advance, such as the fields of a form. */
export function recordOf<T>(shape: Shape<T>): Shape<Record<string, T>> {
  return (value): value is Record<string, T> => isObject(value) && Object.values(value).every(shape)
}

/** Checks a shape for each field of the type, so that none can be forgotten. */
export function fieldsOf<T extends object>(fields: { readonly [K in keyof T]-?: Shape<T[K]> }): Shape<T> {
  const checks = Object.entries(fields) as [string, Shape<unknown>][]
  return (value): value is T =>
    isObject(value) && checks.every(([name, check]) => check((value as Record<string, unknown>)[name]))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
