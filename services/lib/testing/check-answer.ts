import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'

const ajv = new Ajv2020({ strict: false, allErrors: true })
;(addFormatsModule as unknown as (instance: Ajv2020) => void)(ajv)
const compiled = new WeakMap<object, ValidateFunction>()

/** An answer as a test sees it. */
export interface Answer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/**
 * Fails unless the answer is one that the contract's operation allows: its status is listed, its
 * content type too, and a JSON body fits the schema.
 */
export function checkAnswer(contract: object, operationId: string, answer: Answer): void {
  const operation = findOperation(contract, operationId)
  const response = operation.responses[String(answer.statusCode)]
  assert.ok(
    response,
    `${operationId} answered ${answer.statusCode}, which the contract does not list: ${answer.body.slice(0, 300)}`,
  )
  if (response.content === undefined) return
  const type = String(answer.headers['content-type'] ?? '')
    .split(';')[0]!
    .trim()
  const media = response.content[type]
  assert.ok(
    media,
    `${operationId} answered ${answer.statusCode} as ${type}, which the contract does not list`,
  )
  if (!type.endsWith('json') || media.schema === undefined) return
  let validate = compiled.get(media.schema)
  if (validate === undefined) {
    validate = ajv.compile(media.schema)
    compiled.set(media.schema, validate)
  }
  assert.ok(
    validate(JSON.parse(answer.body)),
    `${operationId} ${answer.statusCode}: ${ajv.errorsText(validate.errors)}`,
  )
}

interface Operation {
  readonly operationId?: string
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }>
  >
}

function findOperation(contract: object, operationId: string): Operation {
  const { paths } = contract as { paths: Record<string, Record<string, Operation>> }
  for (const item of Object.values(paths)) {
    for (const operation of Object.values(item)) if (operation.operationId === operationId) return operation
  }
  throw new Error(`the contract has no operation ${operationId}`)
}
