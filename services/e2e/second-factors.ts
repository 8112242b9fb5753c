import { Secret, TOTP } from 'otpauth'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'

/** Returns the code that an authenticator app shows now, or some steps of 30 s later. */
export function totpCode(secret: string, steps = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return totp.generate({ timestamp: Date.now() + steps * 30_000 })
}

/** Adds an authenticator to the page's browser, which holds passkeys and confirms each use by itself. */
export async function addVirtualAuthenticator(context: BrowserContext, page: Page): Promise<CDPSession> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return devtools
}
