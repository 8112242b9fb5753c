import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { until } from '@lapwing/testing/until.ts'
import type { Locator, Page } from 'playwright-core'
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

const OWN_PARAMETERS = ['count', 'style', 'framed', 'dir', 'stytch_token_type', 'token']

function pageOf(url: URL, lapwingUrl: string): string {
  const { searchParams } = url
  const head = [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>A page</title>',
    searchParams.get('style') === 'hostile' ? '<link rel="stylesheet" href="/hostile.css">' : '',
    `<script src="${lapwingUrl}/widget/v1.js"></script>`,
  ].join('')
  const direction = searchParams.get('dir') ?? 'ltr'
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
  return `<!doctype html><html lang="en" dir="${direction}"><head>${head}</head><body><main><h1>A page</h1>${element.repeat(
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

/** Waits for the screen with this title. Stores its pictures in the folder `WIDGET_PICTURES`, if that is set. */
export async function untilScreen(widget: Locator, title: string): Promise<void> {
  await widget.getByRole('heading', { name: title, exact: true }).waitFor()
  if (process.env.WIDGET_PICTURES) await inEveryLook(widget, (look, page) => storePicture(page, title, look))
}

/** Checks the screen with axe, in both themes, at 1280 and 360 px, and that nothing is wider at 360 px and 200 %. */
export async function looksRight(page: Page, name: string): Promise<void> {
  const widget = page.locator('lapwing-login').first()
  await inEveryLook(widget, async look => {
    if (look.width > 180) await axeFindsNothing(page, `${name}, ${look.theme}, ${look.width} px`)
    const { scroll, client } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      client: document.documentElement.clientWidth,
    }))
    assert.ok(scroll <= client, `${name} is ${scroll} px wide on ${client} px`)
    if (process.env.WIDGET_PICTURES) await storePicture(page, name, look)
  })
}

interface Look {
  readonly theme: string
  readonly width: number
}

/** Shows the widget in both themes and at three widths. 180 px are 360 px of a page at 200 %. */
async function inEveryLook(widget: Locator, check: (look: Look, page: Page) => Promise<void>): Promise<void> {
  const page = widget.page()
  const before = page.viewportSize()!
  for (const theme of ['dark', 'light']) {
    await widget.evaluate((element, value) => element.setAttribute('theme', value), theme)
    await widget.locator(`.root[data-theme="${theme}"]`).waitFor()
    for (const width of [1280, 360, 180]) {
      await page.setViewportSize({ width, height: 900 })
      await check({ theme, width }, page)
    }
  }
  await page.setViewportSize(before)
}

async function storePicture(page: Page, name: string, { theme, width }: Look): Promise<void> {
  if (width === 180) return
  const file = `${name.replaceAll(/[^\w]+/g, '-')}-${theme}-${width}.png`
  await page.screenshot({ path: join(process.env.WIDGET_PICTURES!, file), fullPage: true })
}

async function axeFindsNothing(page: Page, when: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(node => `${id}: ${node.target} ${node.failureSummary}`),
  )
  assert.deepEqual(found, [], when)
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
