import type { Deps, HandlerOf } from '../deps.ts'
import { issuerOf } from './app-tokens.ts'
import { ALL_SCOPES } from './scopes.ts'

/** Returns the metadata with which apps find the endpoints. All are at the public origin. */
export function getOpenidConfiguration(deps: Pick<Deps, 'settings'>): HandlerOf<'getOpenidConfiguration'> {
  const issuer = issuerOf(deps)
  const credentials = ['client_secret_basic', 'client_secret_post', 'none']
  return async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300')
    return {
      issuer,
      authorization_endpoint: `${issuer}/consent`,
      token_endpoint: `${issuer}/oauth2/token`,
      userinfo_endpoint: `${issuer}/oauth2/userinfo`,
      revocation_endpoint: `${issuer}/oauth2/revoke`,
      end_session_endpoint: `${issuer}/consent`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      scopes_supported: [...ALL_SCOPES],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: credentials,
      revocation_endpoint_auth_methods_supported: credentials,
      code_challenge_methods_supported: ['S256'],
      claims_supported: [
        ...['sub', 'iss', 'aud', 'iat', 'exp', 'auth_time', 'nonce'],
        ...['name', 'given_name', 'middle_name', 'family_name', 'email', 'email_verified'],
      ],
      authorization_response_iss_parameter_supported: true,
    }
  }
}
