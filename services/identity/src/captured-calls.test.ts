import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import contract from '@lapwing/contracts/identity.json' with { type: 'json' }
import { goodPassword, type Harness, harness, origin } from './test/harness.ts'

/**
 * Replays recorded calls of the hosted provider's official browser client, in two versions. The service
 * must answer every call according to the contract. The records are outside the repository.
 */
const folder = join(import.meta.dirname, '../../../../shared/identity')
const skip = existsSync(folder) ? false : 'skipped: no shared files'

interface Call {
  readonly call: string
  readonly requests: readonly {
    readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
    readonly path: string
    readonly auth: 'public' | 'session'
    readonly body?: Readonly<Record<string, unknown>>
  }[]
}

/** Errors that are expected because the records hold made-up tokens, ids and passwords. */
const EXPECTED_ERRORS: Readonly<Record<string, readonly string[]>> = {
  createPassword: ['weak_password'],
  authenticatePassword: ['unauthorized_credentials'],
  resetPasswordByEmail: ['unable_to_auth_password_reset_token'],
  resetPasswordByExisting: ['unauthorized_credentials'],
  resetPasswordBySession: ['weak_password'],
  authenticateMagicLink: ['unable_to_auth_magic_link'],
  sendMagicLinkInSession: ['unauthorized_action'],
  authenticateCode: ['otp_code_not_found'],
  sendEmailCodeInSession: ['unauthorized_action'],
  sendSmsCodeInSession: ['unauthorized_action'],
  sendWhatsappCodeInSession: ['unauthorized_action'],
  authenticateOAuth: ['oauth_token_not_found'],
  attachOAuth: ['oauth_provider_not_configured'],
  exchangeAccessToken: ['oauth_access_token_exchange_token_invalid_grant'],
  attestSession: ['trusted_token_profile_not_found'],
  authenticateImpersonation: ['unable_to_auth_impersonation_token'],
  authenticateTotp: ['unable_to_authenticate_totp'],
  getRecoveryCodes: ['totp_not_found'],
  recoverTotp: ['unable_to_authenticate_recovery_code'],
  registerWebauthn: ['invalid_public_key_credential'],
  startWebauthnInSession: ['webauthn_registration_not_found'],
  updateWebauthn: ['webauthn_registration_not_found'],
  startWallet: ['invalid_crypto_wallet_address'],
  startWalletInSession: ['invalid_crypto_wallet_address'],
  authenticateWallet: ['invalid_crypto_wallet_address'],
  revokeConnectedApp: ['connected_app_not_found'],
  startAuthorize: ['connected_app_not_found'],
  submitAuthorize: ['connected_app_not_found'],
  startOAuthLogout: ['connected_app_not_found'],
  ...Object.fromEntries(
    Object.entries(operations())
      .filter(([, path]) => /^\/sdk\/v1\/users\/\w+\/\{id\}$/.test(path))
      .map(([id]) => [id, ['factor_not_found']]),
  ),
  searchMember: ['organization_not_found'],
}

for (const file of ['identity-captured-v5-headless.json', 'identity-captured-v6-headless.json']) {
  test(file, { skip }, async t => {
    const service: Harness = await harness()
    t.after(() => service.close())
    const calls = JSON.parse(readFileSync(join(folder, file), 'utf8')) as readonly Call[]
    assert.equal(calls.length, 56)
    let index = 0
    for (const { call, requests } of calls) {
      const { token } = await service.signUp(`call.${index++}@example.com`, goodPassword)
      for (const { method, path, auth, body } of requests) {
        const { id, url } = operationFor(method, path)
        const answer = await service.call(id, url, {
          method,
          ...(auth === 'session' && { as: token }),
          headers: { origin, 'x-sdk-client': 'e30=', 'x-sdk-parent-host': origin },
          // The client sends a JSON content type even without a body.
          body: body === undefined || body === null ? '' : withOurAddresses(body),
        })
        if (answer.status === 200) continue
        assert.ok(
          EXPECTED_ERRORS[id]?.includes(answer.error!),
          `${call}: ${id} answered ${JSON.stringify(answer.body)}`,
        )
      }
    }
  })
}

/** Replaces the records' letters by our redirect addresses, and their domain by ours. */
function withOurAddresses(body: Readonly<Record<string, unknown>>) {
  const ours: Readonly<Record<string, string>> = {
    L: `${origin}/authenticate`,
    S: `${origin}/authenticate`,
    R: `${origin}/reset`,
  }
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      name === 'domain'
        ? new URL(origin).hostname
        : /_url$/.test(name) && typeof value === 'string'
          ? (ours[value] ?? value)
          : value,
    ]),
  )
}

function operations(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(contract.paths).flatMap(([path, item]) =>
      Object.values(item as Record<string, { operationId?: string }>)
        .filter(operation => operation.operationId !== undefined)
        .map(operation => [operation.operationId!, path]),
    ),
  )
}

function operationFor(method: string, path: string): { readonly id: string; readonly url: string } {
  const url = `/sdk/v1${path}`
  for (const [template, item] of Object.entries(contract.paths)) {
    const pattern = new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`)
    const operation = (item as Record<string, { operationId: string }>)[method.toLowerCase()]
    if (operation !== undefined && pattern.test(url)) return { id: operation.operationId, url }
  }
  throw new Error(`the contract has no ${method} ${url}`)
}
