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
   * Asks for a passkey. With `autofill` it waits until the driver picks one in the field. That ends when the
   * driver asks for something else, and does not begin meanwhile.
   *
   * @throws PasskeyError, a cancelled one if another request ends this one
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

  constructor(
    message: string,
    { isCancelled = false, cause }: { isCancelled?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.isCancelled = isCancelled
  }
}

export const passkeyBrowser: PasskeyBrowser = {
  isSupported: browserSupportsWebAuthn,
  canAutofill: browserSupportsWebAuthnAutofill,
  create: options =>
    whileAsking(async () => JSON.stringify(await startRegistration({ optionsJSON: JSON.parse(options) }))),
  get(options, { autofill }) {
    const ask = async () =>
      JSON.stringify(
        await startAuthentication({
          optionsJSON: JSON.parse(options),
          useBrowserAutofill: autofill,
          // The library does not see a field inside a shadow root, as the widget's.
          verifyBrowserAutofillInput: false,
        }),
      )
    if (!autofill) return whileAsking(ask)
    return dialogs === 0 ? orPasskeyError(ask) : Promise.reject(noneChosen())
  },
  cancel: () => WebAuthnAbortService.cancelCeremony(),
}

/** Dialogs of the browser that wait for the driver. The library would close them for an offer that comes late. */
let dialogs = 0

async function whileAsking(ask: () => Promise<string>): Promise<string> {
  dialogs++
  try {
    return await orPasskeyError(ask)
  } finally {
    dialogs--
  }
}

function noneChosen(cause?: unknown): PasskeyError {
  return new PasskeyError('No passkey was chosen. You can try again.', { isCancelled: true, cause })
}

async function orPasskeyError(ask: () => Promise<string>): Promise<string> {
  try {
    return await ask()
  } catch (cause) {
    if (cause instanceof WebAuthnError && cause.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') {
      throw new PasskeyError('This device already has a passkey for your account.', { cause })
    }
    const name = cause instanceof Error ? cause.name : ''
    if (name === 'NotAllowedError' || name === 'AbortError') throw noneChosen(cause)
    throw new PasskeyError('Your browser could not use a passkey here.', { cause })
  }
}
