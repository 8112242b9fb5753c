import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { APIResponse, Locator, Page, Request } from 'playwright-core'
import { openFirstVisit } from './screen.ts'
import { mailTo } from './testing/mails.ts'
import { operatorCommand } from './testing/operator-command.ts'

/** A person with an account. */
export interface Driver {
  readonly email: string
  readonly password: string
  /** The token of a session that no browser has. */
  readonly token: string
  readonly jwt: string
  readonly session: Session
}

/** A session as identity returns it. */
interface Session {
  readonly user_id: string
  readonly session_id: string
  readonly started_at: string
  readonly expires_at: string
}

/** A password that passes every rule. */
export const goodPassword = 'four wet tyres in the rain'

/** Returns an address that no other test uses, because files share a stack. */
export function newEmail(): string {
  emails++
  return `driver.${emails}.${mark}@lapwing.test`
}

let emails = 0
const mark = randomBytes(3).toString('hex')

/** Creates an account by the calls that the page would make, and sets its username if one is given. */
export async function aDriver(
  page: Page,
  { username, email = newEmail() }: { username?: string; email?: string } = {},
): Promise<Driver> {
  const answer = await callIdentity(page, '/passwords', {
    body: { email, password: goodPassword, session_duration_minutes: 60 },
  })
  const { data } = (await answer.json()) as {
    data: { session_token: string; session_jwt: string; session: Session }
  }
  const { session, session_token: token, session_jwt: jwt } = data
  const driver = { email, password: goodPassword, token, jwt, session }
  if (username !== undefined) await takeUsername(page, driver, username)
  return driver
}

/**
 * Creates a driver with a session from an earlier visit, without opening the sign-in dialog. Call it before
 * the page is opened.
 */
export async function aDriverWhoComesBack(page: Page): Promise<Driver> {
  const driver = await aDriver(page)
  const { user_id, session_id, started_at, expires_at } = driver.session
  const url = (await page.request.get('/config.json')).url()
  await page.context().addCookies([{ name: 'stytch_session', value: encodeURIComponent(driver.token), url }])
  const session = {
    userId: user_id,
    sessionId: session_id,
    startedAtMs: Date.parse(started_at),
    expiresAtMs: Date.parse(expires_at),
  }
  await page.addInitScript(
    remembered => {
      // Only once, so that a sign-out lasts.
      if (sessionStorage.getItem('came back') !== null) return
      sessionStorage.setItem('came back', 'yes')
      localStorage.setItem('lapwing.session', remembered)
    },
    JSON.stringify({ session, remember: true, isHidden: false, offsetMs: 0 }),
  )
  return driver
}

/** Proves the driver's address with a code by mail, in the session that no browser has. */
export async function proveAddress(page: Page, driver: Driver, mailboxUrl: string): Promise<void> {
  const as = driver.token
  const sent = await callIdentity(page, '/otps/email/send/secondary', { as, body: { email: driver.email } })
  const { data } = (await sent.json()) as { data: { method_id: string } }
  const token = /\b\d{6}\b/.exec((await mailTo(mailboxUrl, driver.email)).text)![0]
  await callIdentity(page, '/otps/authenticate', { as, body: { token, method_id: data.method_id } })
}

/** Opens a driver's account as an operator does, by a link from the command line. Returns the used link. */
export async function actFor(page: Page, { session }: Driver, databaseUrl: string): Promise<string> {
  const said = await operatorCommand(
    'impersonate.ts',
    [session.user_id, 'operator@lapwing.test', 'a lap is missing'],
    { DATABASE_URL: databaseUrl, PUBLIC_ORIGIN: new URL(page.url()).origin },
  )
  const { pathname, search } = new URL(/https?:\/\/\S+/.exec(said)![0])
  await page.goto(pathname + search)
  return pathname + search
}

/** Waits until the page shows the signed-in driver. */
export async function untilSignedIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Settings of/ }).waitFor()
}

export async function takeUsername(page: Page, driver: Driver, username: string): Promise<void> {
  await accepted(
    await page.request.post('/api/v1/auth/username', {
      headers: { authorization: `Bearer ${driver.jwt}` },
      data: { username },
    }),
  )
}

/**
 * Ends the browser's session from outside, like another device would, and waits until every service rejects
 * it.
 */
export async function endSession(page: Page): Promise<void> {
  const cookies = await page.context().cookies()
  const token = cookies.find(({ name }) => name === 'stytch_session')?.value
  const jwt = await page.evaluate(() =>
    Object.values(sessionStorage).find(value => /^e\S+\.\S+\.\S+$/.test(value)),
  )
  if (token === undefined || jwt === undefined) throw new Error('The browser has no session.')
  await callIdentity(page, '/sessions/revoke', { as: decodeURIComponent(token), body: {} })
  const headers = { authorization: `Bearer ${jwt}` }
  for (const signal = AbortSignal.timeout(10_000); ; await delay(50)) {
    if ((await page.request.get('/api/v1/auth/username', { headers })).status() === 401) return
    signal.throwIfAborted()
  }
}

export async function callIdentity(
  page: Page,
  path: string,
  { as, body }: { readonly as?: string; readonly body: object },
): Promise<APIResponse> {
  const config = (await (await page.request.get('/config.json')).json()) as {
    identity: { publicToken: string }
  }
  const { publicToken } = config.identity
  return accepted(
    await page.request.post(`/sdk/v1${path}`, {
      headers: { authorization: `Basic ${btoa(`${publicToken}:${as ?? publicToken}`)}` },
      data: body,
    }),
  )
}

async function accepted(answer: APIResponse): Promise<APIResponse> {
  if (!answer.ok()) throw new Error(`${answer.url()}: ${answer.status()} ${await answer.text()}`)
  return answer
}

/** Opens the auth dialog on a tab. */
export async function openDialog(page: Page, tab: 'Sign up' | 'Log in'): Promise<Locator> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('tab', { name: tab }).click()
  return dialog
}

/** Signs a driver in with the dialog; creates a new one if none is given. */
export async function signIn(page: Page, driver?: Driver): Promise<Driver> {
  const who = driver ?? (await aDriver(page))
  await openDialog(page, 'Log in')
  await signInHere(page, who)
  return who
}

/** Signs a driver in if the dialog is already open on the log-in tab. */
export async function signInHere(page: Page, { email, password }: Driver): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await untilSignedIn(page)
}

/** Opens the page as a new driver, with a session from an earlier visit. */
export async function openSignedIn(page: Page): Promise<Driver> {
  const driver = await aDriverWhoComesBack(page)
  await openFirstVisit(page)
  await untilSignedIn(page)
  return driver
}

/** Opens the settings of the signed-in driver. */
export async function openSettings(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^Settings of/ }).click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.waitFor()
  return settings
}

/** Signs out in the settings, which reloads the page. */
export async function signOut(page: Page): Promise<void> {
  const settings = await openSettings(page)
  const loaded = page.waitForEvent('load')
  await settings.getByRole('button', { name: 'Sign out' }).click()
  await loaded
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
}

/** Deletes cookies, storage and routes, so that the next visit is a first one. */
export async function forgetVisitor(page: Page): Promise<void> {
  await page.unrouteAll()
  await page.context().clearCookies()
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
}

/** Agrees at a local provider, with this address. */
export async function agreeAt(page: Page, provider: 'Google' | 'Discord', email: string): Promise<void> {
  await page.getByRole('heading', { name: `Local ${provider}` }).waitFor()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Stops the page's timers until the test advances the clock. The clock must be installed. */
export async function stopClock(page: Page): Promise<void> {
  const stop = async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  await stop().catch((error: Error) => {
    if (!error.message.includes('to the past')) throw error
    // Even a call that is too late stops the clock, so the second call cannot be too late.
    return stop()
  })
}

/**
 * Advances a stopped clock by single frames until the element is visible. Each frame waits for real answers,
 * so that a busy machine adds little to the time of the page.
 */
export async function runUntilVisible(page: Page, element: Locator): Promise<void> {
  for (let frames = 0; frames < 200; frames++) {
    await page.clock.runFor(50)
    const isVisible = await element.waitFor({ timeout: 150 }).then(
      () => true,
      () => false,
    )
    if (isVisible) return
  }
  await element.waitFor({ timeout: 1 })
}

/**
 * Returns the cookies of the session. Leaves out the cookie that recognises a browser: it outlives the
 * session and names nobody.
 */
export async function sessionCookies(page: Page) {
  const cookies = await page.context().cookies()
  return cookies.filter(({ name }) => !name.endsWith('lapwing-browser'))
}

/** Records the page's requests to these addresses from now on. */
export function callsTo(page: Page, address: RegExp): readonly Request[] {
  const calls: Request[] = []
  page.on('request', request => {
    if (address.test(request.url())) calls.push(request)
  })
  return calls
}

/** Holds requests to these addresses until they are released, so that a test can see busy states. */
export async function hold(page: Page, address: RegExp): Promise<{ readonly release: () => void }> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(address, async route => {
    await released
    await route.fallback()
  })
  return { release }
}

/**
 * Replaces the next answer by a refusal without a message, which no real service sends. Leaves requests with other
 * methods alone, if one is named.
 */
export async function refuseNextWithoutWords(page: Page, address: RegExp, method?: string): Promise<void> {
  const json = { status_code: 500, error_type: 'internal_server_error', error_message: '', request_id: 'x' }
  let isRefused = false
  await page.route(address, (route, request) => {
    if (isRefused || (method !== undefined && request.method() !== method)) return route.fallback()
    isRefused = true
    return route.fulfill({ status: 500, json })
  })
}
