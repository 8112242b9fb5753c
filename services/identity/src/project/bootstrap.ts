import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { answer } from '../http/answer.ts'
import type { TextChannel } from '../texts/config.ts'

/** Returns the project's settings for the client. Sends every member: a missing one breaks the client. */
export function getBootstrap({ settings }: Deps): HandlerOf<'getBootstrap'> {
  return async request => {
    if (request.params.publicToken !== settings.publicToken) throw new IdentityError('invalid_public_token')
    return answer(request, {
      project_name: settings.projectName,
      disable_sdk_watermark: true as const,
      cname_domain: null,
      // With exactly one domain the client would search that mail provider's inbox.
      email_domains: [],
      captcha_settings: { enabled: false as const },
      pkce_required_for_email_magic_links: settings.pkceForLinks,
      pkce_required_for_password_resets: settings.pkceForLinks,
      pkce_required_for_oauth: true,
      pkce_required_for_sso: true,
      slug_pattern: null,
      create_organization_enabled: false as const,
      password_config: null,
      dfp_protected_auth_enabled: false as const,
      rbac_policy: settings.rbacPolicy as never,
      siwe_required_for_crypto_wallets: settings.isSiweRequired,
      vertical: 'CONSUMER' as const,
      wallet_types: [...settings.walletTypes],
      phone_codes: {
        channels: Object.keys(settings.texts.provider?.senders ?? {}) as TextChannel[],
        countries: settings.texts.provider === null ? [] : [...settings.texts.countries].toSorted(),
      },
    })
  }
}

/** Accepts and drops client telemetry, because it holds mail addresses. */
export function postEvents(): HandlerOf<'postEvents'> {
  return async request => answer(request, {})
}
