import type { ErrorWriter, Refusal } from '@lapwing/http'
import type { FastifyError } from 'fastify'
import { isOAuth2Address, oauth2Error } from './connected-apps/oauth2-error.ts'
import { type ErrorType, errorTypes } from './errors.ts'

/**
 * Writes errors in the protocol's shape: at the top level, without `data`. A request that violates the
 * contract gets a list of its problems. At the addresses of connected apps errors have the shape of OAuth.
 */
export const writeError: ErrorWriter = refusal => ({
  type: 'application/json',
  ...(isOAuth2Address(refusal.url) ? oauth2Error(refusal) : (schemaError(refusal) ?? apiError(refusal))),
})

function apiError({ code, entry, detail, requestId }: Refusal) {
  const type = TYPES_OF_SHARED_CODES[code] ?? (code as ErrorType)
  const { status, message } = errorTypes[type] ?? { status: entry.status, message: entry.detail }
  return {
    status,
    body: {
      status_code: status,
      request_id: requestId,
      error_type: type,
      error_message: detail ?? message,
      // A name instead of a link, because there is no page about errors.
      error_url: `about:blank#${type}`,
    },
  }
}

/** The protocol's types for the codes of the shared HTTP library. */
const TYPES_OF_SHARED_CODES: Readonly<Record<string, ErrorType>> = {
  'identity.bad_request': 'bad_request',
  'identity.unauthorized': 'unauthorized_credentials',
  'identity.not_found': 'route_not_found',
  'identity.method_not_allowed': 'method_not_allowed',
  'identity.request_timeout': 'bad_request',
  'identity.body_too_large': 'request_too_large',
  'identity.unsupported_media_type': 'unsupported_media_type',
  'identity.headers_too_large': 'bad_request',
  'identity.failed': 'internal_server_error',
  'identity.busy': 'service_unavailable',
}

function schemaError({ error, requestId }: Refusal) {
  const { validation, validationContext } = (error ?? {}) as Partial<FastifyError>
  if (validation === undefined) return null
  const part =
    validationContext === 'querystring' ? 'query' : validationContext === 'params' ? 'params' : 'body'
  return {
    status: 400,
    body: {
      status_code: 400,
      request_id: requestId,
      [part]: validation.slice(0, 10).map(({ keyword, instancePath, schemaPath, params, message = '' }) => ({
        keyword,
        dataPath: instancePath.replaceAll('/', '.'),
        schemaPath,
        params,
        message: usageSentence(keyword, params, message),
      })),
    },
  }
}

/** Returns the sentence that the protocol's client uses for the same problem. */
function usageSentence(keyword: string, params: Readonly<Record<string, unknown>>, message: string): string {
  if (keyword === 'type') {
    const sentence = typeSentences[String(params.type)]
    if (sentence !== undefined) return sentence
  }
  if (keyword === 'required') return `${String(params.missingProperty)} is required.`
  return `${message}.`
}

const typeSentences: Readonly<Record<string, string>> = {
  number: 'must be a number.',
  boolean: 'must be a boolean.',
  string: 'must be a string.',
  object: 'must be an object.',
  array: 'must be an array.',
}
