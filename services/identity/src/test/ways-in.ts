import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createSessionVerifier } from '@lapwing/auth'
import { createLocalJWKSet } from 'jose'
import { Secret, TOTP } from 'otpauth'
import { Authenticator } from './authenticator.ts'
import { goodPassword, type Harness, type Reply } from './harness.ts'
import type { TestWallet } from './wallets.ts'

/** The domain of the passkeys in tests. */
export const domain = 'lapwing.test'

/**
 * Returns a network of its own for each wallet: a challenge counts only for the network that requested it, and
 * tests reach its limits only on purpose.
 */
function networkFor({ address }: Pick<TestWallet, 'address'>): string {
  const [first = 0, ...rest] = createHash('sha256').update(address.toLowerCase()).digest().subarray(0, 3)
  return `100.${64 + (first % 64)}.${rest.join('.')}`
}

/** An authenticator app on a phone with its own clock. */
export interface App {
  readonly totpId: string
  readonly secret: string
  readonly recoveryCodes: readonly string[]
  /** Returns the code of the moment, or of `offsetS` seconds later. */
  code(offsetS?: number): string
}

/** Calls that add and use second factors and passkeys. */
export function waysIn(service: Harness) {
  const call = (operationId: string, path: string, as: string | undefined, body: object, ip?: string) =>
    service.call(operationId, `/sdk/v1${path}`, {
      ...(as !== undefined && { as }),
      ...(ip !== undefined && { ip }),
      body,
    })

  async function createApp(as: string): Promise<App> {
    const { status, body, data } = await call('createTotp', '/totps', as, { expiration_minutes: 60 })
    assert.equal(status, 200, JSON.stringify(body))
    const totp = new TOTP({ secret: Secret.fromBase32(data.secret) })
    return {
      totpId: data.totp_id,
      secret: data.secret,
      recoveryCodes: data.recovery_codes,
      code: (offsetS = 0) => totp.generate({ timestamp: service.now().getTime() + offsetS * 1_000 }),
    }
  }

  const typeCode = (as: string | undefined, code: string, ip?: string) =>
    call('authenticateTotp', '/totps/authenticate', as, { totp_code: code, session_duration_minutes: 60 }, ip)

  const bodyOf = ({ type, address }: Pick<TestWallet, 'type' | 'address'>) => ({
    crypto_wallet_type: type,
    crypto_wallet_address: address,
  })
  const startWallet = (
    wallet: Pick<TestWallet, 'type' | 'address'>,
    more: object = {},
    ip = networkFor(wallet),
  ) =>
    call(
      'startWallet',
      '/crypto_wallets/authenticate/start/primary',
      undefined,
      { ...bodyOf(wallet), ...more },
      ip,
    )
  const startWalletInSession = (wallet: TestWallet, as: string) =>
    call(
      'startWalletInSession',
      '/crypto_wallets/authenticate/start/secondary',
      as,
      bodyOf(wallet),
      networkFor(wallet),
    )
  const useWallet = (
    wallet: Pick<TestWallet, 'type' | 'address'>,
    signature: string,
    as?: string,
    ip = networkFor(wallet),
  ) =>
    call(
      'authenticateWallet',
      '/crypto_wallets/authenticate',
      as,
      { ...bodyOf(wallet), signature, session_duration_minutes: 60 },
      ip,
    )

  const startPasskey = () =>
    call('startWebauthn', '/webauthn/authenticate/start/primary', undefined, { domain })

  return {
    /** Returns whether Lapwing's services accept the session's JWT. */
    async isAccepted(jwt: string): Promise<boolean> {
      const { body } = await service.call('getWellKnownJwks', '/.well-known/jwks.json', { method: 'GET' })
      const { issuer, projectId } = service.deps.settings
      const verify = createSessionVerifier({
        jwks: createLocalJWKSet({ keys: body.keys }),
        issuer,
        audience: projectId,
        now: service.now,
      })
      return verify(jwt).then(
        () => true,
        () => false,
      )
    },

    createApp,
    typeCode,
    recover: (as: string, code: string, ip?: string) =>
      call('recoverTotp', '/totps/recover', as, { recovery_code: code, session_duration_minutes: 60 }, ip),
    recoveryCodes: (as: string) => call('getRecoveryCodes', '/totps/recovery_codes', as, {}),

    /** Signs up a person with a confirmed app. The session has the second factor. */
    async signUpWithApp(
      email: string,
    ): Promise<{ app: App; token: string; userId: string; sessionId: string }> {
      const { token, userId, sessionId } = await service.signUp(email)
      const app = await createApp(token)
      const { status, body, data } = await typeCode(token, app.code())
      assert.equal(status, 200, JSON.stringify(body))
      // The next code is another one.
      service.advance(30_000)
      return { app, token: data.session_token, userId, sessionId }
    },

    signIn: (email: string, options: { as?: string; ip?: string; password?: string } = {}) =>
      service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
        ...(options.as !== undefined && { as: options.as }),
        ...(options.ip !== undefined && { ip: options.ip }),
        body: { email, password: options.password ?? goodPassword, session_duration_minutes: 60 },
      }),

    startRegistration: (as: string, body: object = { domain }) =>
      call('startWebauthnRegistration', '/webauthn/register/start', as, body),
    register: (as: string, credential: string) =>
      call('registerWebauthn', '/webauthn/register', as, {
        public_key_credential: credential,
        session_duration_minutes: 60,
      }),
    startPasskey,
    startPasskeyInSession: (as: string) =>
      call('startWebauthnInSession', '/webauthn/authenticate/start/secondary', as, { domain }),
    usePasskey: (credential: string, as?: string) =>
      call('authenticateWebauthn', '/webauthn/authenticate', as, {
        public_key_credential: credential,
        session_duration_minutes: 60,
      }),

    /** Adds a passkey to the session's person. Returns its authenticator and the session's new token. */
    async addPasskey(as: string): Promise<{ authenticator: Authenticator; id: string; token: string }> {
      const authenticator = new Authenticator()
      const started = await this.startRegistration(as)
      assert.equal(started.status, 200, JSON.stringify(started.body))
      const options = started.data.public_key_credential_creation_options
      const { status, body, data } = await this.register(as, authenticator.create(options))
      assert.equal(status, 200, JSON.stringify(body))
      return { authenticator, id: data.webauthn_registration_id, token: data.session_token }
    },

    /** Requests a token that adds an account of a provider to the session's person. */
    attach: (as: string | undefined, provider: string) =>
      call('attachOAuth', '/oauth/attach', as, { provider }),

    startWallet,
    startWalletInSession,
    useWallet,

    /** Signs in with a wallet. */
    async enterByWallet(wallet: TestWallet, options: { as?: string; ip?: string } = {}): Promise<Reply> {
      const started = await startWallet(wallet, {}, options.ip)
      assert.equal(started.status, 200, JSON.stringify(started.body))
      return useWallet(wallet, await wallet.sign(started.data.challenge), options.as, options.ip)
    },

    /** Adds a wallet to the session's person. */
    async addWallet(wallet: TestWallet, as: string): Promise<Reply> {
      const started = await startWalletInSession(wallet, as)
      assert.equal(started.status, 200, JSON.stringify(started.body))
      return useWallet(wallet, await wallet.sign(started.data.challenge), as)
    },

    /** Returns the JSON of fresh request options. */
    async challenge(): Promise<string> {
      const { status, body, data } = await startPasskey()
      assert.equal(status, 200, JSON.stringify(body))
      return data.public_key_credential_request_options
    },
  }
}

/** Returns the types of a session's factors, in the order in which they were added. */
export function factorsOf({ data }: Reply): readonly string[] {
  return data.session.authentication_factors.map(({ type }: { readonly type: string }) => type)
}
