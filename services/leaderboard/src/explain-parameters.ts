import type { FastifySchemaValidationError } from 'fastify/types/schema.js'

/** Returns an error whose message explains to a person what is wrong with a parameter. */
export function explainParameters(errors: readonly FastifySchemaValidationError[]): Error {
  const { instancePath, keyword, params, message } = errors[0]!
  const name = instancePath.split('/').at(-1)
  const sentences: Readonly<Record<string, string>> = {
    required: `${params.missingProperty} is missing`,
    minimum: `${name} must be at least ${params.limit}`,
    maximum: `${name} must be at most ${params.limit}`,
    enum: `${name} must be one of ${[params.allowedValues].flat().join(', ')}`,
    minLength: `${name} must not be empty`,
    maxLength: `${name} must have at most ${params.limit} characters`,
  }
  const type = params.type === 'integer' ? 'a whole number' : `of type ${params.type}`
  return new Error(
    keyword === 'type' ? `${name} must be ${type}` : (sentences[keyword] ?? `${name} ${message}`),
  )
}
