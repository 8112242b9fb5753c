import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { resolveRefs } from './resolve-refs.ts'

/** The parts of an OpenAPI document (`gen/*.json`) that this module reads. */
export interface Contract {
  readonly servers?: readonly { readonly url: string }[]
  readonly paths: object
}

interface Parameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly schema?: object
}

type PathItem = { readonly [Method in (typeof HTTP_METHODS)[number]]?: Operation } & {
  /** Shared by every operation of the path. */
  readonly parameters?: readonly Parameter[]
}

interface Operation {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }
}

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : undefined
type Successful<Responses> = {
  [Status in keyof Responses]: Status extends 200 | 201 | 202 | 204 ? Json<Responses[Status]> : never
}[keyof Responses]
type Parameters<Op, Where extends string> = Op extends { parameters: { [Key in Where]?: infer Found } }
  ? NonNullable<Found>
  : unknown

/** A handler of one operation. The contract types its request and its answer. */
export type Handler<Op> = (
  request: FastifyRequest<{
    Body: Op extends { requestBody: infer Body } ? Json<Body> : unknown
    Params: Parameters<Op, 'path'>
    Querystring: Parameters<Op, 'query'>
  }>,
  reply: FastifyReply,
) => Promise<(Op extends { responses: infer Responses } ? Successful<Responses> : never) | FastifyReply>

/** One handler for each operation of a contract. A misspelt or missing one does not compile. */
export type Handlers<Operations> = { readonly [Id in keyof Operations]: Handler<Operations[Id]> }

export interface BindOptions {
  /** Fastify route options by operationId: body limits, hooks, rate limits. */
  readonly routes?: Readonly<Record<string, RouteShorthandOptions>>
  /** Fastify route options for every operation. */
  readonly everyRoute?: RouteShorthandOptions
  /** Binds only the operations with this tag. */
  readonly tag?: string
  /** Binds only the address that the contract names, without the same one with or without its version. */
  readonly exactAddresses?: boolean
  /** Called once for each address, so that the caller can reject its other methods. */
  readonly onAddress?: (url: string, methods: readonly string[]) => void
}

/**
 * Registers every operation of a contract under its server's base path. Each address works with and without
 * its version, because the older addresses stay valid (D-2). Checks bodies exactly and parameters after their
 * conversion from text. Throws if an operation has no handler, or a handler has no operation.
 */
export function bindContract<Operations>(
  app: FastifyInstance,
  contract: Contract,
  handlers: Handlers<Operations>,
  options: BindOptions = {},
): void {
  const base = contract.servers?.[0]?.url.replace(/\/$/, '') ?? ''
  const bound = new Set<string>()
  for (const [path, item] of Object.entries(resolveRefs(contract).paths as Record<string, PathItem>)) {
    const methods = Object.keys(item)
      .filter(isMethod)
      .filter(method => options.tag === undefined || item[method]?.tags?.includes(options.tag))
    if (methods.length === 0) continue
    for (const address of options.exactAddresses ? [path] : addresses(path)) {
      const url = `${base}${address.replace(/\{(\w+)\}/g, ':$1')}`
      for (const method of methods) {
        const operation = item[method]!
        const handler = (handlers as Record<string, unknown>)[operation.operationId]
        if (typeof handler !== 'function')
          throw new Error(`no handler for operation ${operation.operationId}`)
        bound.add(operation.operationId)
        app.route({
          ...options.everyRoute,
          ...options.routes?.[operation.operationId],
          method: method.toUpperCase(),
          url,
          schema: requestSchema(operation, item.parameters),
          validatorCompiler: ({ schema, httpPart }) => {
            const validate = (httpPart === 'body' ? exact : converting).compile(schema as object)
            return validate
          },
          handler: handler as never,
        })
      }
      options.onAddress?.(
        url,
        methods.map(method => method.toUpperCase()),
      )
    }
  }
  for (const id of Object.keys(handlers)) {
    if (!bound.has(id)) throw new Error(`handler ${id} has no operation in the contract`)
  }
}

const HTTP_METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'] as const

function isMethod(key: string): key is (typeof HTTP_METHODS)[number] {
  return (HTTP_METHODS as readonly string[]).includes(key)
}

/** Returns the path with and without `/v1`. */
export function addresses(path: string): readonly string[] {
  return path.startsWith('/v1/') ? [path, path.slice(3)] : [path, `/v1${path}`]
}

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void
export const exact = withFormats(new Ajv2020({ strict: false, allErrors: false, coerceTypes: false }))
const converting = withFormats(
  new Ajv2020({ strict: false, allErrors: false, coerceTypes: 'array', useDefaults: true }),
)

function withFormats(ajv: Ajv2020): Ajv2020 {
  addFormats(ajv)
  // The format of RFC 9562. The package's own also accepts the prefix `urn:uuid:`, which no database accepts.
  return ajv.addFormat('uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
}

function requestSchema(operation: Operation, shared: readonly Parameter[] = []): Record<string, object> {
  const schema: Record<string, object> = {}
  const body = operation.requestBody?.content?.['application/json']?.schema
  if (body !== undefined) schema.body = body
  for (const [where, part] of [
    ['path', 'params'],
    ['query', 'querystring'],
    ['header', 'headers'],
  ] as const) {
    const own = operation.parameters?.filter(parameter => parameter.in === where) ?? []
    const parameters = [
      ...shared.filter(({ in: place, name }) => place === where && !own.some(other => other.name === name)),
      ...own,
    ]
    if (parameters.length === 0) continue
    // Node returns header names in lower case.
    const key = ({ name }: Parameter) => (where === 'header' ? name.toLowerCase() : name)
    schema[part] = {
      type: 'object',
      properties: Object.fromEntries(parameters.map(parameter => [key(parameter), parameter.schema ?? {}])),
      required: parameters.filter(parameter => parameter.required).map(key),
    }
  }
  return schema
}
