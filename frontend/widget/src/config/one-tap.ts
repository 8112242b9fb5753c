import { UsageError } from '@lapwing/identity-client/errors'

/** Why One Tap does not show, by the protocol's reasons. For developers, so in English. */
export const ONE_TAP_REASONS = {
  none: 'Google gave no reason.',
  origin_not_allowed_for_client: 'Google does not allow this page for the client id. Add its origin there.',
  invalid_client: 'Google does not know the client id.',
  oauth_config_not_found: 'This deployment has no client for it. Lapwing offers Google by its button alone.',
  no_login_redirect_urls_set: 'The project has no address for logins.',
  no_signup_redirect_urls_set: 'The project has no address for sign-ups.',
  default_provider_not_allowed:
    "The default provider of the project cannot be used, only the operator's own.",
} as const satisfies Readonly<Record<string, string>>

/**
 * Returns what a developer of a page that wants One Tap reads. identity has no client for One Tap, and the widget
 * loads nothing from Google: the reason is always the same.
 */
export function oneTapProblem(): UsageError {
  return new UsageError(`One Tap could not load: ${ONE_TAP_REASONS.oauth_config_not_found}`)
}
