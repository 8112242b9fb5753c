import { type ErrorWriter, type Refusal, type WrittenError, writeProblem } from '@lapwing/http'
import type { GatewayCode } from './errors.ts'
import { routeAddresses, routes } from './routes.ts'

/** Writes an error in the shape of the protocol at its address. */
export const writeError: ErrorWriter = refusal => {
  const url = refusal.url ?? ''
  if (url.startsWith('/oauth2/')) return writeOAuthError(refusal)
  return isSignInAddress(url) ? writeSignInError(refusal) : writeProblem(refusal)
}

/** Writes AppErrorBody of `openapi/identity.yaml`, for connected apps. */
function writeOAuthError({ entry, detail }: Refusal): WrittenError {
  const { status } = entry
  const error = OAUTH_ERRORS[status] ?? (status >= 500 ? 'temporarily_unavailable' : 'invalid_request')
  return {
    status,
    type: 'application/json',
    body: { error, error_description: detail ?? entry.detail },
  }
}

/** Errors of OAuth whose names follow from the status. */
const OAUTH_ERRORS: Readonly<Record<number, string>> = { 429: 'slow_down', 500: 'server_error' }

function isSignInAddress(url: string): boolean {
  return signInAddresses.some(address => url.startsWith(address))
}

const signInAddresses = routes
  .filter(({ protocol }) => protocol === 'sign-in')
  .flatMap(routeAddresses)
  .map(address => address.replace(/\*$/, ''))

/** Writes ApiError of `openapi/identity.yaml`. Its clients branch on `error_type`. */
function writeSignInError({ code, entry, detail, requestId }: Refusal): WrittenError {
  const type = errorTypes[code as GatewayCode]
  return {
    status: entry.status,
    type: 'application/json',
    body: {
      status_code: entry.status,
      request_id: requestId,
      error_type: type,
      error_message: detail ?? entry.detail,
      error_url: `about:blank#${type}`,
    },
  }
}

/** The provider's error type for each code of the gateway. */
export const errorTypes: Readonly<Record<GatewayCode, string>> = {
  'gateway.bad_request': 'bad_request',
  'gateway.tile_out_of_range': 'bad_request',
  'gateway.unauthorized': 'unauthorized_credentials',
  'gateway.insufficient_scope': 'unauthorized_action',
  'gateway.not_found': 'route_not_found',
  'gateway.method_not_allowed': 'method_not_allowed',
  'gateway.request_timeout': 'bad_request',
  'gateway.body_too_large': 'request_too_large',
  'gateway.unsupported_media_type': 'unsupported_media_type',
  'gateway.rate_limited': 'too_many_requests',
  'gateway.headers_too_large': 'bad_request',
  'gateway.failed': 'internal_server_error',
  'gateway.upstream_unavailable': 'service_unavailable',
  'gateway.overloaded': 'service_unavailable',
  'gateway.upstream_timeout': 'service_unavailable',
}
