import type { Preferences } from './preference-cache.ts'

interface Metadata {
  readonly trusted_metadata?: unknown
  readonly untrusted_metadata?: unknown
}

/** Where a preference may stand, the present place first; the others are those of older accounts. */
const places: Readonly<Record<keyof Preferences, readonly (readonly string[])[]>> = {
  waitlist: [
    ['trusted_metadata', 'consent', 'waitlist'],
    ['trusted_metadata', 'waitlist'],
    ['trusted_metadata', 'consent_waitlist'],
    ['trusted_metadata', 'preferences', 'waitlist'],
    ['untrusted_metadata', 'consent', 'waitlist'],
    ['untrusted_metadata', 'waitlist'],
  ],
  marketing: [
    ['trusted_metadata', 'consent', 'marketing'],
    ['trusted_metadata', 'marketing'],
    ['trusted_metadata', 'consent_marketing'],
    ['trusted_metadata', 'preferences', 'marketing'],
    ['untrusted_metadata', 'consent', 'marketing'],
    ['untrusted_metadata', 'marketing'],
  ],
}

/** The first boolean found among the places of each preference, else false. */
export function preferencesOfUser(user: Metadata | null): Preferences {
  const find = (name: keyof Preferences) => places[name].map(path => valueAt(user, path)).find(isBoolean)
  return { waitlist: find('waitlist') ?? false, marketing: find('marketing') ?? false }
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Readonly<Record<string, unknown>>)[name]
        : undefined,
    value,
  )
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}
