import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser'

/** Asks the browser for passkeys. Options and credentials are JSON, as the provider sends and accepts them. */
interface PasskeyBrowser {
  /** Whether the browser has passkeys at all. */
  isSupported(): boolean
  /** Resolves to whether the browser offers passkeys inside a field. */
  canAutofill(): Promise<boolean>
  /** Creates a passkey. @throws PasskeyError */
  create(options: string): Promise<string>
  /**
   * Asks for a passkey. With `autofill` it waits until the driver picks one in the field.
   *
   * @throws PasskeyError, a cancelled one if another request begins
   */
  get(options: string, how: { readonly autofill: boolean }): Promise<string>
  /** Ends a request that waits. */
  cancel(): void
}

/** The browser gave no passkey. `message` is for the driver. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError'
  /** Whether the driver, or the page, ended the request. Browsers do not tell it from a time-out. */
  readonly isCancelled: boolean

  constructor(message: string, isCancelled = false) {
    super(message)
    this.isCancelled = isCancelled
  }
}

export const passkeyBrowser: PasskeyBrowser = {
  isSupported: browserSupportsWebAuthn,
  canAutofill: browserSupportsWebAuthnAutofill,
  create: options =>
    orPasskeyError(async () => JSON.stringify(await startRegistration({ optionsJSON: JSON.parse(options) }))),
  get: (options, { autofill }) =>
    orPasskeyError(async () =>
      JSON.stringify(
        await startAuthentication({ optionsJSON: JSON.parse(options), useBrowserAutofill: autofill }),
      ),
    ),
  cancel: () => WebAuthnAbortService.cancelCeremony(),
}

async function orPasskeyError(ask: () => Promise<string>): Promise<string> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') {
      throw new PasskeyError('This device already has a passkey for your account.')
    }
    const name = error instanceof Error ? error.name : ''
    if (name === 'NotAllowedError' || name === 'AbortError') {
      throw new PasskeyError('No passkey was chosen. You can try again.', true)
    }
    throw new PasskeyError('Your browser could not use a passkey here.')
  }
}
