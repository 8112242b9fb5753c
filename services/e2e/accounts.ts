import { setTimeout as delay } from 'node:timers/promises'
import type { APIResponse, Locator, Page, Request } from 'playwright-core'

/** Somebody with an account. */
export interface Driver {
  readonly email: string
  readonly password: string
  /** Of a session that no browser has. */
  readonly token: string
  readonly jwt: string
  readonly session: Session
}

/** What identity says of a session. */
interface Session {
  readonly user_id: string
  readonly session_id: string
  readonly started_at: string
  readonly expires_at: string
}

/** One that nobody could object to. */
export const goodPassword = 'four wet tyres in the rain'

/** An address nobody else in this process has. */
export function newEmail(): string {
  emails++
  return `driver.${emails}@lapwing.test`
}

let emails = 0

/** Makes an account by the calls the page would make, with a name where one is given. */
export async function aDriver(page: Page, { username }: { username?: string } = {}): Promise<Driver> {
  const email = newEmail()
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
 * Somebody new whom the browser knows from a visit before, without the dialog in which they signed in then. The
 * page is opened after this.
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
      // Once: who signs out stays so.
      if (sessionStorage.getItem('came back') !== null) return
      sessionStorage.setItem('came back', 'yes')
      localStorage.setItem('lapwing.session', remembered)
    },
    JSON.stringify({ session, remember: true, isHidden: false, offsetMs: 0 }),
  )
  return driver
}

/** Waits until the page knows who is there. */
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

/** Ends the browser's session without its knowledge, as another device would, and waits until all know of it. */
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

async function callIdentity(
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

/** Signs a driver in by the dialog; somebody new where none is named. */
export async function signIn(page: Page, driver?: Driver): Promise<Driver> {
  const who = driver ?? (await aDriver(page))
  await openDialog(page, 'Log in')
  await signInHere(page, who)
  return who
}

/** The same where the dialog is open already, on its tab for those who have an account. */
export async function signInHere(page: Page, { email, password }: Driver): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await untilSignedIn(page)
}

/** Opens the settings of the person who is signed in. */
export async function openSettings(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^Settings of/ }).click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.waitFor()
  return settings
}

/** Signs out by the settings, which loads the page anew. */
export async function signOut(page: Page): Promise<void> {
  const settings = await openSettings(page)
  const loaded = page.waitForEvent('load')
  await settings.getByRole('button', { name: 'Sign out' }).click()
  await loaded
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
}

/** Agrees at a provider of this machine, as somebody with this address. */
export async function agreeAt(page: Page, provider: 'Google' | 'Discord', email: string): Promise<void> {
  await page.getByRole('heading', { name: `Local ${provider}` }).waitFor()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** From now on the page's timers wait until the test lets time pass. The clock must be installed. */
export async function stopClock(page: Page): Promise<void> {
  const stop = async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  await stop().catch((error: Error) => {
    if (!error.message.includes('to the past')) throw error
    // Too late, it has stopped the clock all the same, and so cannot be late again.
    return stop()
  })
}

/** Cookies of the session: not the one by which accounts know a browser, which outlives it and names nobody. */
export async function sessionCookies(page: Page) {
  const cookies = await page.context().cookies()
  return cookies.filter(({ name }) => !name.endsWith('lapwing-browser'))
}

/** Requests of the page to these addresses, from now on. */
export function callsTo(page: Page, address: RegExp): readonly Request[] {
  const calls: Request[] = []
  page.on('request', request => {
    if (address.test(request.url())) calls.push(request)
  })
  return calls
}

/** Requests to these addresses wait until they are released, so that busy states can be seen. */
export async function hold(page: Page, address: RegExp): Promise<{ readonly release: () => void }> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(address, async route => {
    await released
    await route.fallback()
  })
  return { release }
}

/** The one answer in a test that no service gives: a refusal without a word of explanation. */
export async function refuseNextWithoutWords(page: Page, address: RegExp): Promise<void> {
  const json = { status_code: 500, error_type: 'internal_server_error', error_message: '', request_id: 'x' }
  await page.route(address, route => route.fulfill({ status: 500, json }), { times: 1 })
}
