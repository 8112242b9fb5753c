import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError, type ErrorTable } from './app-error.ts'
import { type CommonError, errorEntry } from './common-errors.ts'
import { type ErrorWriter, type Refusal, writeProblem } from './error-writer.ts'

export interface ErrorAnswers {
  /** The service's name, first part of each of its error codes. */
  readonly service: string
  readonly errors: ErrorTable
  /** The shape of error answers; problem documents by default. */
  readonly writeError?: ErrorWriter
  /** Recognises errors of a dependency that is away: they are answered 503 `<service>.busy` with `Retry-After`. */
  readonly isUnavailable?: (error: unknown) => boolean
}

/**
 * Turns every error into an answer. A known code answers its own sentence. A dependency that is away
 * answers 503: the same request may go through a moment later. Anything else is logged once, with the
 * request's id, and answers `<service>.failed` without a word of the cause.
 */
export function handleErrors(
  app: FastifyInstance,
  { service, errors: table, writeError: write = writeProblem, isUnavailable = () => false }: ErrorAnswers,
): void {
  app.setErrorHandler((thrown: unknown, request, reply) => {
    const error =
      !(thrown instanceof AppError) && !isOfRequest(thrown) && isUnavailable(thrown)
        ? new AppError(`${service}.busy`, { cause: thrown, headers: { 'retry-after': '2' } })
        : thrown
    const known = recognise(error, service)
    const entry = known && errorEntry(service, table, known.code)
    if (!entry) {
      request.log.error({ err: error }, 'request failed')
      const code = `${service}.failed`
      return sendError(reply, write, { code, entry: errorEntry(service, table, code)! })
    }
    if (isRefusal(error, entry.status)) request.log.warn({ code: known.code }, 'request refused')
    else if (entry.status >= 500) request.log.error({ err: error, code: known.code }, 'request failed')
    reply.headers(known.headers)
    return sendError(reply, write, { code: known.code, entry, detail: known.detail, error })
  })
  app.setNotFoundHandler((_request, reply) => {
    const code = `${service}.not_found`
    return sendError(reply, write, { code, entry: errorEntry(service, table, code)! })
  })
}

/**
 * Turned away for now, with nothing behind it: a full house is no fault, and a stack for each who
 * knocks would hide those that are.
 */
function isRefusal(error: unknown, status: number): boolean {
  return status === 503 && error instanceof AppError && error.cause === undefined
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
  const allow = KNOWN_METHODS.filter(isAllowed).join(', ')
  app.route({
    method: KNOWN_METHODS.filter(method => !isAllowed(method)),
    url,
    // Refused before the body is looked at, whatever its type.
    onRequest: async () => {
      throw new AppError(`${service}.method_not_allowed`, { headers: { allow } })
    },
    handler: () => undefined,
  })
}

const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY']

/** Sends an error, which no cache may keep. */
export function sendError(
  reply: FastifyReply,
  write: ErrorWriter,
  refusal: Omit<Refusal, 'requestId' | 'url'>,
): FastifyReply {
  const { status, type, body } = write({ ...refusal, requestId: reply.request.id, url: reply.request.url })
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type(type)
    .serializer((content: unknown) => JSON.stringify(content))
    .send(body)
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
  // Of the method QUERY (RFC 10008).
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'bad_request',
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
function isOfRequest(error: unknown): boolean {
  return (error as { statusCode?: unknown } | null)?.statusCode === 400
}

function sentence(message: string): string {
  const text = message.slice(0, 300)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
