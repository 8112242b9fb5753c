import type { operations } from '@lapwing/contracts/identity'
import { IdentityError } from '../errors.ts'

/** Calls of the protocol that Lapwing does not support. A test compares the list with the contract's tag. */
export const NOT_ENABLED_IDS = [
  'searchMember',
  'discoverOrganization',
  'getOrganization',
  'joinOrganization',
  'getOwnOrganizations',
  'startSso',
  'finishSso',
  'authenticateSso',
] as const satisfies readonly (keyof operations)[]

/** Creates handlers that refuse these calls with the protocol's error. */
export function notEnabled() {
  const refuse = async (): Promise<never> => {
    throw new IdentityError('endpoint_not_authorized_for_sdk')
  }
  const handlers = Object.fromEntries(NOT_ENABLED_IDS.map(id => [id, refuse]))
  return handlers as Readonly<Record<(typeof NOT_ENABLED_IDS)[number], typeof refuse>>
}
