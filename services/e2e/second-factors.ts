import { createDb } from '@lapwing/db'
import { Secret, TOTP } from 'otpauth'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { type Driver, openDialog, openSettings } from './accounts.ts'

const press = (within: Locator, name: string) => within.getByRole('button', { name, exact: true }).click()

/** Returns the code that an authenticator app shows now, or some steps of 30 s later. */
export function totpCode(secret: string, steps = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return totp.generate({ timestamp: Date.now() + steps * 30_000 })
}

/** An authenticator of the page's browser, with its passkeys. */
export interface VirtualAuthenticator {
  /**
   * Confirms nothing until what `lead` opens has offered the passkey in a field, and that offer waits for the driver.
   * Otherwise it would take the passkey immediately.
   */
  readonly waitWhile: <T>(lead: () => Promise<T>) => Promise<T>
}

/** Adds an authenticator that confirms each use immediately, also of a passkey that a field offers. */
export async function addVirtualAuthenticator(
  context: BrowserContext,
  page: Page,
): Promise<VirtualAuthenticator> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const setPresence = async (enabled: boolean) => {
    await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  }
  await page.addInitScript(noteOffers)
  await page.evaluate(noteOffers)
  return {
    async waitWhile(lead) {
      await setPresence(false)
      await page.evaluate(() => sessionStorage.removeItem('has-offer'))
      const led = await lead()
      await page.waitForFunction(() => sessionStorage.getItem('has-offer') !== null)
      await setPresence(true)
      return led
    },
  }
}

/** Notes in the page that a field has offered a passkey. */
function noteOffers() {
  // An empty page has none.
  const { credentials } = navigator as Partial<Navigator>
  if (!credentials) return
  const get = credentials.get.bind(credentials)
  credentials.get = options => {
    const answer = get(options)
    if (options?.mediation === 'conditional') sessionStorage.setItem('has-offer', '')
    return answer
  }
}

/** Opens the ways into the account of the signed-in driver. */
export async function openSecurity(page: Page): Promise<Locator> {
  const dialog = await openSecurityDialog(page)
  await dialog.getByRole('heading', { name: 'Passkeys' }).waitFor()
  return dialog
}

/** Does the same if the driver's last sign-in can be too old to show them. */
export async function openSecurityDialog(page: Page): Promise<Locator> {
  await press(await openSettings(page), 'Sign-in and security')
  return page.getByRole('dialog', { name: 'Sign-in and security' })
}

/** Makes every sign-in of the driver ten minutes older. */
export async function ageSignIns(databaseUrl: string, userId: string): Promise<void> {
  const db = createDb<{ session: AgedSession }>({ url: databaseUrl, schema: 'identity', poolSize: 1 })
  try {
    const rows = await db
      .selectFrom('session')
      .select(['session_id', 'factors'])
      .where('user_id', '=', userId)
      .execute()
    for (const { session_id, factors } of rows) {
      const older = (factors as readonly { readonly last_authenticated_at: string }[]).map(factor => ({
        ...factor,
        last_authenticated_at: new Date(Date.parse(factor.last_authenticated_at) - 600_000).toISOString(),
      }))
      await db
        .updateTable('session')
        .set({ factors: JSON.stringify(older) })
        .where('session_id', '=', session_id)
        .execute()
    }
  } finally {
    await db.destroy()
  }
}

interface AgedSession {
  readonly session_id: string
  readonly user_id: string
  /** Written as JSON. */
  readonly factors: unknown
}

/** An authenticator app, as the page shows it once. */
export interface App {
  readonly secret: string
  readonly codes: readonly string[]
}

/** Sets the app up, with its first code. Later codes need a later step. */
export async function addApp(dialog: Locator): Promise<App> {
  await press(dialog, 'Set up authenticator app')
  await dialog.getByRole('img', { name: /^QR code/ }).waitFor()
  const secret = (await dialog.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/).textContent())!.replaceAll(' ', '')
  await dialog.getByLabel('Code that the app shows').fill(totpCode(secret))
  await press(dialog, 'Confirm')
  const items = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await items.nth(9).waitFor()
  const codes = await items.allTextContents()
  return { secret, codes }
}

/** Signs in by password up to the second step. */
export async function signInHalf(
  page: Page,
  { email, password }: Pick<Driver, 'email' | 'password'>,
): Promise<Locator> {
  const dialog = await openDialog(page, 'Log in')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await press(dialog, 'Sign in')
  await dialog.getByRole('heading', { name: 'Second step' }).waitFor()
  return dialog
}
