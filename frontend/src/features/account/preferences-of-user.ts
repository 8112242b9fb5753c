import { flag } from '#shared/api/shapes.ts'
import type { Preferences } from './preference-cache.ts'

/** Paths of a preference in the user's metadata, the current one first. Older accounts use the others. */
const placesOf = (name: keyof Preferences): readonly (readonly string[])[] => [
  ['trusted_metadata', 'consent', name],
  ['trusted_metadata', name],
  ['trusted_metadata', `consent_${name}`],
  ['trusted_metadata', 'preferences', name],
  ['untrusted_metadata', 'consent', name],
  ['untrusted_metadata', name],
]

/** Returns the first boolean among the paths of each preference; false if there is none. */
export function preferencesOfUser(user: object | null): Preferences {
  const find = (name: keyof Preferences) =>
    placesOf(name)
      .map(path => valueAt(user, path))
      .find(flag)
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
