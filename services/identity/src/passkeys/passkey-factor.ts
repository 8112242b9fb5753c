import type { NewFactor } from '../sessions/start-session.ts'

/** Returns the factor of a person who has used a passkey. */
export function passkeyFactor(passkey: {
  readonly registrationId: string
  readonly domain: string
  readonly userAgent: string
}): NewFactor {
  return {
    type: 'webauthn',
    delivery_method: 'webauthn_registration',
    webauthn_factor: {
      webauthn_registration_id: passkey.registrationId,
      domain: passkey.domain,
      user_agent: passkey.userAgent,
    },
  }
}
