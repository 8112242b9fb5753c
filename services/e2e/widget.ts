import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { until } from '@lapwing/testing/until.ts'
import type { Locator, Page } from 'playwright-core'
import { axeFindsNothing, coloursHaveContrast } from './axe-in-both-themes.ts'
import { mailTo } from './testing/mails.ts'

/** A site of another origin whose pages have the sign-in widget, under a strict content security policy. */
export interface ForeignSite {
  readonly origin: string
  /** Sets what returns Lapwing's address once the tests run. */
  readonly pointAt: (lapwingUrl: () => string) => void
  readonly close: () => Promise<void>
}

/** Attributes of `<lapwing-login>`. */
export type Attributes = Readonly<Record<string, string>>

/** Where links and providers lead: a page with a widget. */
export const LINK_PATH = '/in'
/** A page that answers requests of connected apps. It has every parameter of the request. */
export const IDP_PATH = '/connect'

/** Attributes of the element on pages with a path of their own. */
const attributesOf = (path: string, origin: string): Attributes | undefined =>
  ({
    [LINK_PATH]: { products: 'emailMagicLinks passwords' },
    [IDP_PATH]: {
      products: 'otp oauth',
      'otp-methods': 'email',
      providers: 'google',
      'login-redirect-url': `${origin}${IDP_PATH}`,
      idp: 'on',
    },
  })[path]

/** Rules of a page that would break anything that they reach. */
const HOSTILE = `
  * { font-size: 40px !important; color: red !important; letter-spacing: 1em !important; line-height: 5 !important;
      text-transform: uppercase !important; box-sizing: content-box !important; visibility: hidden !important }
  lapwing-login { display: inline !important; position: absolute !important; opacity: 0.1 !important;
      width: 3px !important }
  button, input { display: none !important }
`

/**
 * Serves the site. Its parameters are attributes of the element. Other parameters: `count` elements,
 * `style=hostile`, and `framed`, which puts the page into a frame.
 */
export function serveForeignSite(): ForeignSite {
  let lapwing = () => ''
  const server = createServer((request, response) => {
    const lapwingUrl = lapwing()
    const url = new URL(request.url ?? '/', 'http://site')
    if (url.pathname === '/hostile.css') {
      response.writeHead(200, { 'content-type': 'text/css' }).end(HOSTILE)
      return
    }
    if (url.pathname === '/favicon.ico') {
      response.writeHead(204).end()
      return
    }
    response
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; script-src ${lapwingUrl}; connect-src ${lapwingUrl}; style-src 'self'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'`,
      })
      .end(pageOf(new URL(`http://${request.headers.host}${request.url}`), lapwingUrl))
  })
  // Without a host the port is known immediately, as the variables of the stack need it.
  server.listen(0)
  return {
    // A passkey needs a secure origin, and this name is one.
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    pointAt(url) {
      lapwing = url
    },
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const OWN_PARAMETERS = ['count', 'style', 'framed', 'stytch_token_type', 'token']

function pageOf(url: URL, lapwingUrl: string): string {
  const { searchParams } = url
  const head = [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>A page</title>',
    searchParams.get('style') === 'hostile' ? '<link rel="stylesheet" href="/hostile.css">' : '',
    `<script src="${lapwingUrl}/widget/v1.js"></script>`,
  ].join('')
  if (searchParams.has('framed')) {
    searchParams.delete('framed')
    const address = `/?${searchParams}`.replaceAll('&', '&amp;')
    return `<!doctype html><html lang="en"><title>A frame</title><main><iframe title="Sign in" width="420" height="700" src="${address}"></iframe></main></html>`
  }
  const given = [...searchParams].filter(([name]) => !OWN_PARAMETERS.includes(name))
  const attributes = Object.entries(attributesOf(url.pathname, url.origin) ?? Object.fromEntries(given))
  const all = [['public-token', 'public-token-live-lapwing'], ...attributes]
  const text = all.map(([name, value]) => ` ${name}="${value!.replaceAll('"', '&quot;')}"`).join('')
  const element = `<lapwing-login${text}></lapwing-login>`
  return `<!doctype html><html lang="en"><head>${head}</head><body><main><h1>A page</h1>${element.repeat(
    Number(searchParams.get('count') ?? 1),
  )}</main></body></html>`
}

/** Opens a page of the site with a widget, and waits for its first screen. */
export async function openWidget(page: Page, site: ForeignSite, attributes: Attributes): Promise<Locator> {
  await page.goto(`${site.origin}/?${new URLSearchParams(attributes)}`)
  const widget = page.locator('lapwing-login').first()
  await widget.getByRole('heading').first().waitFor()
  return widget
}

/** Presses a button of the widget. */
export const press = (widget: Locator, name: string | RegExp) =>
  widget.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).click()

/** Screens that only an organization has. */
export const ORGANIZATION_SCREENS = [
  'CannotJoinOrgDueToAuthPolicy',
  'Discovery',
  'Organization',
  'OrganizationDiscoveryClaimedDomain',
  'SSODiscoveryEmail',
  'SSODiscoveryFallback',
  'SSODiscoveryMenu',
] as const

/** Waits for the screen with this title. */
export const untilScreen = (widget: Locator, title: string) =>
  widget.getByRole('heading', { name: title, exact: true }).waitFor()

/**
 * Looks at every screen that the tests of a file reach, at the first time. Returns `untilScreen` that does so, and
 * the names of the screens so far.
 */
export function lookAtScreens(): {
  readonly untilScreen: typeof untilScreen
  readonly seen: ReadonlySet<string>
} {
  const seen = new Set<string>()
  return {
    seen,
    async untilScreen(widget, title) {
      await untilScreen(widget, title)
      const screen = (await widget.locator('.root').getAttribute('data-screen'))!
      if (seen.has(screen)) return
      seen.add(screen)
      await looksRight(widget.page(), screen)
    },
  }
}

/**
 * Checks a screen as people see and use it. In both themes, at 1280 and 360 px: axe finds nothing. At 360 px and
 * 200 %, in both directions: nothing is cut off. The keyboard reaches everything in the order of the screen, and
 * nothing moves, because these tests want less motion. Stores pictures in the folder `WIDGET_PICTURES`, if that
 * is set.
 */
export async function looksRight(page: Page, name: string): Promise<void> {
  const widget = page.locator('lapwing-login').first()
  const before = page.viewportSize()!
  await show(widget, name, { theme: 'dark', width: 1280 })
  await axeFindsNothing(page, `${name}, dark, 1280 px`)
  await keyboardReachesAll(page, name)
  assert.equal(await widget.evaluate(element => element.shadowRoot!.getAnimations().length), 0, name)
  await show(widget, name, { theme: 'light', width: 1280 })
  await coloursHaveContrast(page, `${name}, light, 1280 px`)
  await show(widget, name, { theme: 'light', width: 360 })
  await axeFindsNothing(page, `${name}, light, 360 px`)
  await show(widget, name, { theme: 'dark', width: 360 })
  await coloursHaveContrast(page, `${name}, dark, 360 px`)
  for (const direction of ['rtl', 'ltr']) {
    await turn(widget, direction)
    // 180 px are 360 px of a page at 200 %.
    for (const width of [180, 360]) {
      await page.setViewportSize({ width, height: 900 })
      await nothingIsCutOff(widget, `${name}, ${direction}, ${width} px`)
    }
  }
  await page.setViewportSize(before)
}

interface Look {
  readonly theme: 'dark' | 'light'
  readonly width: number
}

/** Shows the widget in this look, and stores its picture. */
async function show(widget: Locator, name: string, { theme, width }: Look): Promise<void> {
  await widget.evaluate((element, value) => element.setAttribute('theme', value), theme)
  await widget.locator(`.root[data-theme="${theme}"]`).waitFor()
  await widget.page().setViewportSize({ width, height: 900 })
  const folder = process.env.WIDGET_PICTURES
  if (folder === undefined) return
  const path = join(folder, `${name.replaceAll(' ', '-')}-${theme}-${width}.png`)
  await widget.page().screenshot({ path, fullPage: true })
}

/** Changes the direction of the page, and waits until the widget follows. */
async function turn(widget: Locator, direction: string): Promise<void> {
  await widget.evaluate((element, value) => {
    document.documentElement.dir = value
    // The widget reads the direction when it is drawn.
    element.setAttribute('theme', element.getAttribute('theme')!)
  }, direction)
  await widget.locator(`.root[dir="${direction}"]`).waitFor()
}

async function nothingIsCutOff(widget: Locator, when: string): Promise<void> {
  const found = await widget.evaluate(element => {
    const { scrollWidth, clientWidth } = document.documentElement
    const card = element.shadowRoot!.querySelector('.card')!.getBoundingClientRect()
    const beyond = [...element.shadowRoot!.querySelectorAll('.card *:not(.unseen, option)')].filter(part => {
      const { left, right, width } = part.getBoundingClientRect()
      if (width === 0) return false
      return left < card.left - 1 || right > card.right + 1
    })
    return {
      sideways: scrollWidth > clientWidth ? [`${scrollWidth} px wide on ${clientWidth} px`] : [],
      beyond: beyond.map(part => part.outerHTML.slice(0, 80)),
    }
  })
  assert.deepEqual(found, { sideways: [], beyond: [] }, when)
}

/** Presses Tab through the widget. It reaches every control once, from the top to the bottom, and the focus shows. */
async function keyboardReachesAll(page: Page, name: string): Promise<void> {
  const widget = page.locator('lapwing-login').first()
  const expected = await widget.evaluate(element => {
    document.querySelector('h1')!.tabIndex = -1
    document.querySelector('h1')!.focus()
    const controls = [...element.shadowRoot!.querySelectorAll<HTMLElement>('a[href], button, input, select')]
    return controls.filter(control => control.tabIndex >= 0).length
  })
  const reached: { readonly top: number; readonly isShown: boolean; readonly what: string }[] = []
  while (reached.length <= expected) {
    await page.keyboard.press('Tab')
    const focused = await widget.evaluate(element => {
      const control = element.shadowRoot!.activeElement
      if (control === null) return null
      const { top, bottom } = control.getBoundingClientRect()
      const isShown = getComputedStyle(control).outlineStyle !== 'none'
      // The page scrolls to what has the focus.
      return { top: scrollY + (top + bottom) / 2, isShown, what: control.outerHTML.slice(0, 80) }
    })
    if (focused === null) break
    reached.push(focused)
  }
  assert.equal(reached.length, expected, `${name}: Tab reaches ${reached.map(({ what }) => what).join()}`)
  for (const [index, { top, isShown, what }] of reached.entries()) {
    assert.ok(isShown, `${name}: no focus is visible on ${what}`)
    assert.ok(top >= (reached[index - 1]?.top ?? 0) - 1, `${name}: Tab goes up to ${what}`)
  }
}

/** Waits for a sentence under a field or button. */
export const untilProblem = (widget: Locator, sentence: string | RegExp) =>
  widget.getByRole('alert').getByText(sentence).waitFor()

/**
 * Returns the newest code that was sent to an address or number. Other mails, and a code that this returned
 * before, are not it.
 */
export async function codeTo(mailboxUrl: string, address: string): Promise<string> {
  let code: string | undefined
  await until(async () => {
    code = /\b\d{6}\b/.exec((await mailTo(mailboxUrl, address)).text)?.[0]
    return code !== undefined && code !== returned.get(address)
  })
  returned.set(address, code!)
  return code!
}

/** The last code of each address. */
const returned = new Map<string, string>()
