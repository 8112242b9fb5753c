import type { Refusal } from '@lapwing/http'
import { AppError, type ErrorTable } from '@lapwing/http/app-error'

/** Errors of OAuth 2.1 and OpenID Connect, with their status and sentence. The contract lists the same. */
export const oauth2Errors = {
  invalid_request: { status: 400, message: 'The request is not well formed.' },
  invalid_client: {
    status: 401,
    message: 'The app is not known here, was turned off, or its secret is wrong.',
  },
  invalid_grant: {
    status: 400,
    message: 'The code or token is wrong, was used before, has expired or was revoked.',
  },
  unauthorized_client: { status: 400, message: 'The app may not do this.' },
  unsupported_grant_type: { status: 400, message: 'grant_type must be authorization_code or refresh_token.' },
  invalid_scope: { status: 400, message: 'The person has not granted this scope.' },
  invalid_target: { status: 400, message: 'Access tokens are only for the API of Lapwing.' },
  invalid_token: { status: 401, message: 'The access token is wrong, has expired or was revoked.' },
  insufficient_scope: { status: 403, message: 'The person has not granted the scope that this needs.' },
  slow_down: { status: 429, message: 'Too many requests. Please wait a moment.' },
  temporarily_unavailable: {
    status: 503,
    message: 'This is not possible at the moment. Please try again shortly.',
  },
  server_error: { status: 500, message: 'Something went wrong on our side. Please try again.' },
} as const

export type OAuth2ErrorName = keyof typeof oauth2Errors

const PREFIX = 'oauth2.'

/** An error for a connected app. */
export class OAuth2Error extends AppError {
  constructor(
    name: OAuth2ErrorName,
    { message, headers = {} }: { message?: string; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(PREFIX + name, { ...(message !== undefined && { detail: message }), headers })
    this.name = 'OAuth2Error'
  }
}

/** The same table in the format of the shared library. */
export const oauth2Entries: ErrorTable = Object.fromEntries(
  Object.entries(oauth2Errors).map(([name, { status, message }]) => [
    PREFIX + name,
    { status, title: name, detail: message },
  ]),
)

/** Returns whether errors at this address have the shape of OAuth. */
export function isOAuth2Address(url: string | undefined): boolean {
  return url?.startsWith('/oauth2/') ?? false
}

/** Writes AppErrorBody of the contract. The service's own errors get the nearest name of OAuth. */
export function oauth2Error({ code, entry, detail }: Refusal) {
  const name = code.startsWith(PREFIX) ? code.slice(PREFIX.length) : nearestName(entry.status)
  return { status: entry.status, body: { error: name, error_description: detail ?? entry.detail } }
}

function nearestName(status: number): OAuth2ErrorName {
  if (status === 429) return 'slow_down'
  if (status === 503) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}
