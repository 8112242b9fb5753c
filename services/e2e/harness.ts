import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, type TestContext } from 'node:test'
import type { RunningStack } from '@lapwing/local/start-stack'
import { type Browser, type BrowserContextOptions, chromium, type Page, type Route } from 'playwright-core'
import { shortVisitFlags } from './browser-flags.ts'
import { findChromium } from './find-chromium.ts'
import type { Reach } from './testing/part-of-stack.ts'
import { type SharedStack, sharedStack } from './testing/shared-stacks.ts'
import { watchForProblems } from './watch-for-problems.ts'

/**
 * Starts the real Lapwing for the tests of one file: the built page, the gateway and the needed services on
 * free ports, and one browser. In a whole run, files that change nothing about the stack share one. `visit`
 * makes a test of what a person does in a new window. The test also fails if the page logs an error, violates
 * its security policy or sends a request that fails.
 */
export function lapwing({
  reach,
  env,
  ownAddresses = false,
  hasMotion = false,
  flags = [],
}: LapwingOptions): Lapwing {
  let own: RunningStack | null = null
  let running: SharedStack | null = null
  let browser: Browser | null = null
  let dataDir = ''

  before(async () => {
    const executablePath = findChromium(process.env)
    if (executablePath === null) {
      throw new Error(
        'The browser tests need Chromium or Chrome. Install it, or set CHROME_PATH to where it is.',
      )
    }
    mkdirSync(join(rootDir, '.lapwing/e2e'), { recursive: true })
    // Stored before the next start, so that `after` stops it even if that start fails.
    browser = await chromium.launch({ executablePath, args: [...shortVisitFlags, ...flags] })
    running = env === undefined ? await sharedStack(reach) : null
    if (running !== null) return
    // Loaded only here, because most files share a stack.
    const [{ copyPage }, { startPartOfStack }] = await Promise.all([
      import('./testing/page-copy.ts'),
      import('./testing/part-of-stack.ts'),
    ])
    dataDir = mkdtempSync(join(rootDir, '.lapwing/e2e/stack-'))
    // A whole run of tests shares one page.
    const page = process.env.TEST_PAGE_DIR || join(dataDir, 'page')
    if (!process.env.TEST_PAGE_DIR) await copyPage(page)
    own = await startPartOfStack({
      reach,
      rootDir,
      dataDir,
      publicPort: 0,
      publicHost: '127.0.0.1',
      env: { ...process.env, LOG_LEVEL: 'warn' },
      overrides: {
        ...env,
        gateway: {
          FRONTEND_DIR: page,
          ...(ownAddresses && { TRUSTED_PROXIES: '127.0.0.1' }),
          ...env?.gateway,
        },
      },
      say: line => console.log(line),
    })
    running = own
    // Wait for the late parts, so that a dropped file can be saved immediately.
    await own.late
  })
  after(async () => {
    await browser?.close()
    await own?.stop()
    if (dataDir !== '') rmSync(dataDir, { recursive: true, force: true })
  })

  async function openWindow({
    expected: _,
    baseURL = running!.url,
    ...contextOptions
  }: VisitOptions): Promise<Window> {
    const context = await browser!.newContext({
      baseURL,
      viewport: desktop,
      locale: 'en-GB',
      // Each frame of a motion costs CPU: a fifth of what tests that open dialogs take.
      reducedMotion: hasMotion ? 'no-preference' : 'reduce',
      ...(ownAddresses && { extraHTTPHeaders: fromNewAddress() }),
      ...contextOptions,
    })
    context.setDefaultTimeout(30_000)
    // These stacks have no ingest. Tests of laps have answers of their own, which come first.
    if (reach === 'accounts') await context.route(/\/api\/laps\?limit=5&/, answerNoLaps)
    const page = await context.newPage()
    return { page, problems: watchForProblems(page), close: () => context.close() }
  }

  return {
    url: () => running!.url,
    mailboxUrl: () => running!.urls.mailbox!,
    demoAppUrl: () => running!.urls['demo-app']!,
    identityDatabaseUrl: () => running!.urls['identity database']!,
    dataDir: () => dataDir,
    visit:
      (body, options = {}) =>
      async t => {
        const window = await openWindow(options)
        try {
          await testIn(window, body, { t, expected: options.expected })
        } finally {
          await window.close()
        }
      },
    visitTogether(open, { leave, ...options } = {}) {
      let shared: Window | null = null
      return (body, { expected = [] } = {}) =>
        async t => {
          const isNew = shared === null
          const window = shared ?? (await openWindow(options))
          shared = null
          try {
            await testIn(
              window,
              async page => {
                if (isNew) await open(page)
                else if (ownAddresses) await page.context().setExtraHTTPHeaders(fromNewAddress())
                await body(page, t)
                await leave?.(page)
              },
              { t, expected: [...(options.expected ?? []), ...expected] },
            )
            shared = window
          } finally {
            if (shared === null) await window.close()
          }
        }
    },
  }
}

/** Answers the start page of a driver without saved laps. */
function answerNoLaps(route: Route): Promise<void> {
  return route.fulfill({ json: { ok: true, laps: [], next_cursor: null } })
}

interface Window {
  readonly page: Page
  readonly problems: ReturnType<typeof watchForProblems>
  readonly close: () => Promise<void>
}

/** Runs the body. Adds to its error what the page showed; fails if the page had problems. */
async function testIn(
  { page, problems }: Window,
  body: VisitBody,
  { t, expected = [] }: { readonly t: TestContext; readonly expected: readonly RegExp[] | undefined },
): Promise<void> {
  try {
    await body(page, t)
  } catch (error) {
    const file = join(rootDir, '.lapwing/e2e', `${t.name.replace(/[^\w]+/g, '-').slice(0, 80)}.png`)
    await page.screenshot({ path: file, fullPage: true }).catch(() => {})
    const seen = problems(expected).map(problem => `\n  ${problem}`)
    const shown = await page
      .locator('body')
      .ariaSnapshot({ timeout: 5_000 })
      .catch(() => '')
    // Machines that store no screenshots still print the page's content.
    const what = `Screenshot: ${file}${seen.join('')}\n${page.url()} showed:\n${shown}`
    throw new Error(`${(error as Error).message}\n${what}`, { cause: error })
  }
  const unexpected = problems(expected)
  if (unexpected.length > 0) throw new Error(`The page had problems:\n  ${unexpected.join('\n  ')}`)
}

export interface LapwingOptions {
  readonly reach: Reach
  /**
   * Further variables of single parts, such as `{ gateway: { PAGE_PREVIEW: 'server' } }`. A file with such
   * variables, even with none (`{}`), has a stack of its own.
   */
  readonly env?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Gives each test its own network address, so that no limit is reached by chance. */
  readonly ownAddresses?: boolean
  /**
   * For tests that motion can change, such as those of focus or of cars that drive. Other windows are those of a
   * driver who wants less motion.
   */
  readonly hasMotion?: boolean
  /** Further flags of the browser. */
  readonly flags?: readonly string[]
}

export interface Lapwing {
  /** Address of the page; available when the tests run. */
  readonly url: () => string
  /** Address of the mailbox, which receives every mail. */
  readonly mailboxUrl: () => string
  /** Address of the demo app; only with the reach `accounts`. */
  readonly demoAppUrl: () => string
  /** Database of identity, for the commands of an operator. */
  readonly identityDatabaseUrl: () => string
  /** Folder of its data, with the addresses of its parts; empty if the stack is shared. */
  readonly dataDir: () => string
  readonly visit: (body: VisitBody, options?: VisitOptions) => TestBody
  /**
   * For tests that leave the page as they found it: they share one window, because opening it takes most of
   * their time. `open` runs for the first test and after a failed one, which gets a new window. `leave` runs after
   * each test, and brings the page back to where `open` left it. Each test adds the problems that it causes itself.
   */
  readonly visitTogether: (
    open: (page: Page) => Promise<unknown>,
    options?: VisitOptions & { readonly leave?: (page: Page) => Promise<unknown> },
  ) => (body: VisitBody, own?: Pick<VisitOptions, 'expected'>) => TestBody
}

type VisitBody = (page: Page, t: TestContext) => Promise<void>
type TestBody = (t: TestContext) => Promise<void>

export interface VisitOptions extends BrowserContextOptions {
  /** Patterns of problems that the test itself causes. */
  readonly expected?: readonly RegExp[]
}

/** Returns headers with an address that no other test uses at the same time. */
function fromNewAddress() {
  addresses++
  return { 'x-forwarded-for': `10.${(process.pid >> 8) & 255}.${process.pid & 255}.${addresses & 255}` }
}

let addresses = 0

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

const rootDir = join(import.meta.dirname, '../..')
