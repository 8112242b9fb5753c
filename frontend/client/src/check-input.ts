import { UsageError } from './errors.ts'

const BOOLEANS: ReadonlySet<string> = new Set([
  'return_passkey_credential_options',
  'use_base64_url_encoding',
  'enable_autofill',
  'consent_granted',
])
/** Members that are objects, or of several types, and which identity checks. */
const UNCHECKED: ReadonlySet<string> = new Set([
  'name',
  'untrusted_metadata',
  'trusted_metadata',
  'siwe_params',
  'resource',
  'resources',
])

/**
 * Checks the members of a body by their names, for pages that are not written in TypeScript.
 *
 * @throws UsageError that names the call and the first wrong member
 */
export function checkInput(path: string, body: object): void {
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined || UNCHECKED.has(name)) continue
    const [type, isRight] = name.endsWith('_minutes')
      ? ['a number', typeof value === 'number']
      : BOOLEANS.has(name)
        ? ['a boolean', typeof value === 'boolean']
        : name === 'scopes'
          ? ['an array of strings', Array.isArray(value) && value.every(item => typeof item === 'string')]
          : ['a string', typeof value === 'string']
    if (!isRight) throw new UsageError(`Invalid call to ${path}\n${name} must be ${type}.`)
  }
}
