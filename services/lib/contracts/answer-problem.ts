import type { ValidateFunction } from 'ajv/dist/2020.js'
import { type Contract, exact } from './bind.ts'
import { resolveRefs } from './resolve-refs.ts'

interface Operation {
  readonly operationId?: string
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, object>> }>>
}

/**
 * Returns how the body of a 200 differs from what the contract promises; null if it does not. It names
 * fields and rules of the contract, and no value of the body.
 */
export function answerProblem(contract: Contract, operationId: string, body: unknown): string | null {
  let validators = compiled.get(contract)
  if (validators === undefined) {
    validators = new Map()
    compiled.set(contract, validators)
  }
  let validate = validators.get(operationId)
  if (validate === undefined) {
    validate = exact.compile(answerSchema(contract, operationId))
    validators.set(operationId, validate)
  }
  return validate(body)
    ? null
    : `the answer of ${operationId} does not fit: ${exact.errorsText(validate.errors)}`
}

const compiled = new WeakMap<object, Map<string, ValidateFunction>>()

function answerSchema(contract: Contract, operationId: string): object {
  const items = Object.values(resolveRefs(contract).paths as Record<string, Record<string, Operation>>)
  const operation = items.flatMap(item => Object.values(item)).find(it => it.operationId === operationId)
  const media = operation?.responses['200']?.content?.['application/json'] as { schema?: object } | undefined
  if (media?.schema === undefined) throw new Error(`the contract has no JSON answer of ${operationId}`)
  return media.schema
}
