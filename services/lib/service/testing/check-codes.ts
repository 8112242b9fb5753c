import assert from 'node:assert/strict'
import { contractCodes } from '@lapwing/contracts/codes'
import { type ErrorTable, errorEntry } from '@lapwing/http'

/** Fails unless the contract lists every code of the service's table, and lists no code without an entry. */
export function checkCodes(service: string, errors: ErrorTable, contract: object): void {
  const listed = contractCodes(contract)
  const unlisted = Object.keys(errors).filter(code => !listed.includes(code))
  const unknown = listed.filter(code => errorEntry(service, errors, code) === undefined)
  assert.deepEqual(
    [
      ...unlisted.map(code => `${code}: add it to x-codes of openapi/${service}.yaml, and run make generate`),
      ...unknown.map(code => `${code}: the contract lists it, but errors.ts does not`),
    ],
    [],
  )
}
