import assert from 'node:assert/strict'
import { resolveRefs } from '@lapwing/contracts/resolve-refs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'

const ajv = new Ajv2020({ strict: false, allErrors: true })
;(addFormatsModule as unknown as (instance: Ajv2020) => void)(ajv)
const compiled = new WeakMap<object, ValidateFunction>()

/** An answer to a test's request. */
export interface Answer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/**
 * Fails unless the contract's operation allows the answer. The status and the content type must be listed,
 * required headers present, and a JSON body must fit the schema. A problem must have a code that is listed
 * for the status (`x-codes`), and that status in its body.
 */
export function checkAnswer(contract: object, operationId: string, answer: Answer): void {
  const operation = findOperation(contract, operationId)
  const summary = `${operationId} answered ${answer.statusCode}`
  const response = operation.responses[String(answer.statusCode)] ?? operation.responses.default
  assert.ok(response, `${summary}, which the contract does not list: ${answer.body.slice(0, 300)}`)
  for (const [name, { required }] of Object.entries(response.headers ?? {})) {
    if (required) assert.ok(answer.headers[name.toLowerCase()] !== undefined, `${summary} without ${name}`)
  }
  if (response.content === undefined) {
    assert.equal(answer.body, '', `${summary} with a body, which the contract does not list`)
    return
  }
  const type = String(answer.headers['content-type'] ?? '')
    .split(';')[0]!
    .trim()
  const media = response.content[type]
  assert.ok(media, `${summary} as ${type}, which the contract does not list`)
  if (!type.endsWith('json') || media.schema === undefined) return
  const body: unknown = JSON.parse(answer.body)
  const validate = validator(media.schema)
  assert.ok(validate(body), `${summary}: ${ajv.errorsText(validate.errors)}`)
  if (type !== 'application/problem+json') return
  const { status, code } = body as { status: number; code: string }
  assert.equal(status, answer.statusCode, `${summary} with another status in its body`)
  const codes = response['x-codes']
  if (codes !== undefined) {
    assert.ok(codes.includes(code), `${summary} with ${code}, which the contract does not list there`)
  }
}

function validator(schema: object): ValidateFunction {
  let validate = compiled.get(schema)
  if (validate === undefined) {
    validate = ajv.compile(schema)
    compiled.set(schema, validate)
  }
  return validate
}

interface Response {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>
  readonly 'x-codes'?: readonly string[]
}

interface Operation {
  readonly operationId?: string
  readonly responses: Readonly<Record<string, Response>>
}

function findOperation(contract: object, operationId: string): Operation {
  const { paths } = resolveRefs(contract) as { paths: Record<string, Record<string, Operation>> }
  for (const item of Object.values(paths)) {
    for (const operation of Object.values(item)) if (operation.operationId === operationId) return operation
  }
  throw new Error(`the contract has no operation ${operationId}`)
}
