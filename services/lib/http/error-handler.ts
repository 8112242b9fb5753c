import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorTable, type ErrorTableEntry } from './app-error.ts'
import { type CommonError, errorEntry } from './common-errors.ts'
import { problemType, toProblem } from './problem.ts'

/**
 * The one place where an error becomes an answer. A known code answers its own sentence; anything
 * else is logged once, with the request's id, and answers `<service>.failed` without a word of the
 * cause.
 */
export function handleErrors(app: FastifyInstance, service: string, table: ErrorTable): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const known = recognise(error, service)
    const entry = known && errorEntry(service, table, known.code)
    if (!entry) {
      request.log.error({ err: error }, 'request failed')
      return sendProblem(
        request,
        reply,
        `${service}.failed`,
        errorEntry(service, table, `${service}.failed`)!,
      )
    }
    if (entry.status >= 500) request.log.error({ err: error, code: known.code }, 'request failed')
    reply.headers(known.headers)
    return sendProblem(request, reply, known.code, entry, known.detail)
  })
  app.setNotFoundHandler((request, reply) =>
    sendProblem(request, reply, `${service}.not_found`, errorEntry(service, table, `${service}.not_found`)!),
  )
}

/**
 * Answers 405 with `Allow` to every other method of an address that exists. HEAD is allowed with
 * GET, as Fastify answers it there.
 */
export function allowOnly(
  app: FastifyInstance,
  service: string,
  url: string,
  methods: readonly string[],
): void {
  const isAllowed = (method: string) =>
    methods.includes(method) || (method === 'HEAD' && methods.includes('GET'))
  const allow = knownMethods.filter(isAllowed).join(', ')
  app.route({
    method: knownMethods.filter(method => !isAllowed(method)),
    url,
    // Refused before the body is looked at, whatever its type.
    onRequest: async () => {
      throw new AppError(`${service}.method_not_allowed`, { headers: { allow } })
    },
    handler: () => undefined,
  })
}

const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Sends a problem document, which no cache may keep. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  code: string,
  entry: ErrorTableEntry,
  detail?: string,
): FastifyReply {
  return reply
    .code(entry.status)
    .header('cache-control', 'no-store')
    .type(problemType)
    .serializer((body: unknown) => JSON.stringify(body))
    .send(toProblem(code, entry, request.id, detail))
}

interface Known {
  readonly code: string
  readonly detail?: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** Fastify's own refusals, by its code, as ours. Those of its plugins are translated where the plugin is used. */
const frameworkErrors: Readonly<Record<string, CommonError>> = {
  FST_ERR_VALIDATION: 'bad_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'bad_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'bad_request',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_BAD_URL: 'bad_request',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_TYPE: 'unsupported_media_type',
  // The body broke off: its client left.
  ECONNRESET: 'bad_request',
}

function recognise(error: unknown, service: string): Known | null {
  if (error instanceof AppError) return error
  if (!(error instanceof Error) || !('code' in error)) return null
  const suffix = frameworkErrors[String(error.code)]
  if (suffix === undefined || (error.code === 'ECONNRESET' && !isOfRequest(error))) return null
  // The validator's message names a field and a rule of the contract, nothing of ours.
  return {
    code: `${service}.${suffix}`,
    detail: error.code === 'FST_ERR_VALIDATION' ? sentence(error.message) : undefined,
    headers: {},
  }
}

/** Fastify marks what went wrong with the request's own connection; a database's looks alike otherwise. */
function isOfRequest(error: Error): boolean {
  return (error as { statusCode?: unknown }).statusCode === 400
}

function sentence(message: string): string {
  const text = message.slice(0, 300)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
