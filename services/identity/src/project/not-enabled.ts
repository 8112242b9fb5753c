import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/identity'
import { IdentityError } from '../errors.ts'

/** Calls of the protocol that Lapwing does not support. A test compares the list with the contract's tag. */
export const NOT_ENABLED_IDS = [
  'getConnectedApps',
  'revokeConnectedApp',
  'exchangeAccessToken',
  'attestSession',
  'sendSmsCodeOrCreate',
  'sendWhatsappCodeOrCreate',
  'sendSmsCode',
  'sendSmsCodeInSession',
  'sendWhatsappCode',
  'sendWhatsappCodeInSession',
  'attachOAuth',
  'startOAuthLogout',
  'startWallet',
  'startWalletInSession',
  'authenticateWallet',
  'createTotp',
  'authenticateTotp',
  'getRecoveryCodes',
  'recoverTotp',
  'startWebauthnRegistration',
  'registerWebauthn',
  'startWebauthn',
  'startWebauthnInSession',
  'authenticateWebauthn',
  'updateWebauthn',
  'authenticateImpersonation',
  'startAuthorize',
  'submitAuthorize',
  'searchMember',
] as const satisfies readonly (keyof operations)[]

type NotEnabledId = (typeof NOT_ENABLED_IDS)[number]

/** Creates handlers that refuse these calls with the protocol's error. */
export function notEnabled(): Pick<Handlers<operations>, NotEnabledId> {
  const refuse = async () => {
    throw new IdentityError('endpoint_not_authorized_for_sdk')
  }
  return Object.fromEntries(NOT_ENABLED_IDS.map(id => [id, refuse])) as never
}
