import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startIssuer } from '@lapwing/identity/test/issuer'
import type { Locator, Page } from 'playwright-core'
import { lapwing } from './harness.ts'
import { operatorCommand } from './testing/operator-command.ts'
import {
  codeTo,
  LINK_PATH,
  lookAtScreens,
  ORGANIZATION_SCREENS,
  openWidget,
  press,
  serveForeignSite,
  untilProblem,
} from './widget.ts'

/** Organizations in the widget, with the real identity and an issuer of their own. */
const site = serveForeignSite()
const linkUrl = `${site.origin}${LINK_PATH}`
const keyEncryptionKey = randomBytes(32).toString('base64')
const { visit, url, mailboxUrl, dataDir, identityDatabaseUrl } = lapwing({
  reach: 'accounts',
  env: {
    identity: {
      ALLOWED_ORIGINS: site.origin,
      LOGIN_REDIRECT_URLS: linkUrl,
      SIGNUP_REDIRECT_URLS: linkUrl,
      KEY_ENCRYPTION_KEY: keyEncryptionKey,
    },
  },
})
site.pointAt(url)
after(() => site.close())

const refused = [/Failed to load resource/, /^answer: 4\d\d to POST .*\/sdk\//]
const { untilScreen, seen } = lookAtScreens()
const byCode = { products: 'otp', 'otp-methods': 'email', organizations: 'on', 'login-redirect-url': linkUrl }

let count = 0
/** Registers an organization, as an operator does. Returns its id, its name and an address in its domain. */
async function newOrganization(methods: readonly string[], connections: readonly string[] = []) {
  const number = ++count
  const [name, domain] = [`Club ${number}`, `club-${number}.racing.test`]
  const run = async (...args: string[]) =>
    / has the id (\S+)/.exec(
      await operatorCommand('organizations.ts', args, {
        DATABASE_URL: identityDatabaseUrl(),
        PUBLIC_ORIGIN: url(),
        KEY_ENCRYPTION_KEY: keyEncryptionKey,
      }),
    )![1]!
  const all = methods.flatMap(method => ['--method', method])
  const id = await run('save', '--name', name, '--domain', domain, ...all)
  const email = `driver@${domain}`
  if (connections.length > 0) {
    const issuer = await issuerFor(email)
    const secretFile = join(dataDir(), `club-${number}.secret`)
    writeFileSync(secretFile, issuer.clientSecret)
    const client = ['--issuer', issuer.url, '--client-id', issuer.clientId, '--secret-file', secretFile]
    for (const connection of connections) await run('connect', id, '--name', connection, ...client)
  }
  return { id, name, domain, email }
}

/** Starts an issuer whose page signs this person in immediately. */
async function issuerFor(email: string) {
  const issuer = await startIssuer()
  const page = createServer((request, response) => {
    const at = new URL(request.url!, issuer.url)
    const location = issuer.signIn(at, { sub: email, email, email_verified: true }).href
    response.writeHead(302, { location }).end()
  })
  page.listen(0, '127.0.0.1')
  await new Promise(resolve => page.once('listening', resolve))
  issuer.changes = {
    authorization_endpoint: `http://127.0.0.1:${(page.address() as AddressInfo).port}/authorize`,
  }
  after(async () => {
    page.closeAllConnections()
    await new Promise(resolve => page.close(resolve))
    await issuer.close()
  })
  return issuer
}

/** Looks for the organization of an address. */
async function find(widget: Locator, email: string): Promise<void> {
  await widget.getByLabel('Email').fill(email)
  await press(widget, 'Continue')
}

async function openDiscovery(page: Page): Promise<Locator> {
  const widget = await openWidget(page, site, byCode)
  await press(widget, 'Sign in with your organization')
  await untilScreen(widget, 'Find your organization')
  return widget
}

/** Signs in by a code on Main. */
async function enterByCode(widget: Locator, email: string): Promise<void> {
  await widget.getByLabel('Email').fill(email)
  await press(widget, 'Continue with email')
  await widget.getByLabel('One-time passcode').fill(await codeTo(mailboxUrl(), email))
}

test(
  'finds the sign-in of an organization by an address, and says if there is none',
  visit(
    async page => {
      const { email } = await newOrganization(['sso'], ['Head office'])
      const widget = await openDiscovery(page)
      await find(widget, 'driver@')
      await untilProblem(widget, 'Email format is invalid.')
      await find(widget, 'driver@elsewhere.test')
      await untilScreen(widget, 'No organization found')
      await press(widget, 'Try another address')
      await find(widget, email)
      await page.waitForURL(linkUrl)
      await untilScreen(widget, 'You are signed in')
    },
    { expected: refused },
  ),
)

test(
  'lets a person choose between the sign-ins of their organization',
  visit(
    async page => {
      const { email, name } = await newOrganization(['sso'], ['Head office', 'Garage'])
      const widget = await openDiscovery(page)
      await find(widget, email)
      await untilScreen(widget, `Your organization is ${name}`)
      await press(widget, 'Continue')
      await untilScreen(widget, `Sign in to ${name}`)
      await press(widget, 'Continue with single sign-on')
      await untilScreen(widget, 'Choose your sign-in')
      await press(widget, 'Continue with Garage')
      await page.waitForURL(linkUrl)
      await untilScreen(widget, 'You are signed in')
    },
    { expected: refused },
  ),
)

test(
  'shows the ways that an organization allows, and makes the person a member',
  visit(
    async page => {
      const { id, email, name } = await newOrganization(['emailOtp', 'emailMagicLinks', 'passwords'])
      const widget = await openWidget(page, site, { ...byCode, organization: id })
      await untilScreen(widget, `Sign in to ${name}`)
      await widget.getByRole('button', { name: 'Use a password' }).waitFor()
      await widget.getByLabel('Email').fill(email)
      await press(widget, 'Continue with email')
      await untilScreen(widget, 'Choose how to sign in')
      await press(widget, 'Email me a login code')
      const joined = page.waitForResponse(answer => answer.url().endsWith(`/organizations/${id}/join`))
      await widget.getByLabel('One-time passcode').fill(await codeTo(mailboxUrl(), email))
      await untilScreen(widget, 'Success!')
      await (await joined).finished()
    },
    { expected: refused },
  ),
)

test(
  'lets a person choose an organization after a sign-in, and explains a way that does not count',
  visit(
    async page => {
      const { email, name } = await newOrganization(['passwords'])
      const widget = await openWidget(page, site, byCode)
      await enterByCode(widget, email)
      await untilScreen(widget, 'Choose an organization')
      await press(widget, name)
      await untilScreen(widget, 'This sign-in does not count')
      await press(widget, 'Sign in another way')
      await untilScreen(widget, `Sign in to ${name}`)
      await press(widget, 'Use a password')
      await untilScreen(widget, 'Use a password')

      const other = await newOrganization(['emailOtp'])
      await page.context().clearCookies()
      await openWidget(page, site, byCode)
      await enterByCode(widget, other.email)
      await press(widget, other.name)
      await untilScreen(widget, 'You are signed in')
    },
    { expected: refused },
  ),
)

test('reached and looked at every screen of organizations', () => {
  assert.deepEqual(
    ORGANIZATION_SCREENS.filter(screen => !seen.has(screen)),
    [],
  )
})
