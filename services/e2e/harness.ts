import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, type TestContext } from 'node:test'
import type { RunningStack } from '@lapwing/local/start-stack'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { browserFlags } from './browser-flags.ts'
import { findChromium } from './find-chromium.ts'
import { copyPage } from './testing/page-copy.ts'
import { type Reach, startPartOfStack } from './testing/part-of-stack.ts'
import { watchForProblems } from './watch-for-problems.ts'

/**
 * The real Lapwing for the tests of one file: the built page, the gateway and the services the tests reach on
 * free ports, and one browser. `visit` makes a test of what a person does in a fresh window; the test also
 * fails when the page logs an error, breaks its security policy or asks for something that fails.
 */
export function lapwing({ reach, env = {}, ownAddresses = false }: LapwingOptions): Lapwing {
  let running: RunningStack | null = null
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
    dataDir = mkdtempSync(join(rootDir, '.lapwing/e2e/stack-'))
    // A whole run of tests has one page for all files.
    const page = process.env.TEST_PAGE_DIR || join(dataDir, 'page')
    if (!process.env.TEST_PAGE_DIR) await copyPage(page)
    // Kept at once: what is started must be stopped even where the next start fails.
    browser = await chromium.launch({ executablePath, args: browserFlags })
    running = await startPartOfStack({
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
          ...env.gateway,
        },
      },
      say: line => console.log(line),
    })
    // A file that is dropped can be saved at once.
    await running.late
  })
  after(async () => {
    await browser?.close()
    await running?.stop()
    if (dataDir !== '') rmSync(dataDir, { recursive: true, force: true })
  })

  return {
    url: () => running!.url,
    mailboxUrl: () => running!.urls.mailbox!,
    dataDir: () => dataDir,
    visit:
      (body, options = {}) =>
      async t => {
        const { expected = [], baseURL = running!.url, ...contextOptions } = options
        const context = await browser!.newContext({
          baseURL,
          viewport: desktop,
          locale: 'en-GB',
          ...(ownAddresses && { extraHTTPHeaders: { 'x-forwarded-for': newAddress() } }),
          ...contextOptions,
        })
        context.setDefaultTimeout(30_000)
        try {
          const page = await context.newPage()
          const problems = watchForProblems(page, expected)
          try {
            await body(page, t)
          } catch (error) {
            const file = join(rootDir, '.lapwing/e2e', `${t.name.replace(/[^\w]+/g, '-').slice(0, 80)}.png`)
            await page.screenshot({ path: file, fullPage: true }).catch(() => {})
            const seen = problems().map(problem => `\n  ${problem}`)
            const shown = await page
              .locator('body')
              .ariaSnapshot({ timeout: 5_000 })
              .catch(() => '')
            // A machine that keeps no screenshots still says what was there.
            const what = `Screenshot: ${file}${seen.join('')}\n${page.url()} showed:\n${shown}`
            throw new Error(`${(error as Error).message}\n${what}`, {
              cause: error,
            })
          }
          const unexpected = problems()
          if (unexpected.length > 0) throw new Error(`The page had problems:\n  ${unexpected.join('\n  ')}`)
        } finally {
          await context.close()
        }
      },
  }
}

export interface LapwingOptions {
  readonly reach: Reach
  /** Further variables of single parts of the stack, such as `{ gateway: { PAGE_PREVIEW: 'server' } }`. */
  readonly env?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Each window is seen to come from a network address of its own, so that no limit is met by chance. */
  readonly ownAddresses?: boolean
}

export interface Lapwing {
  /** Where it runs; known once the tests do. */
  readonly url: () => string
  /** Where every mail arrives. */
  readonly mailboxUrl: () => string
  /** Where it keeps its data, and says where its parts are. */
  readonly dataDir: () => string
  readonly visit: (
    body: (page: Page, t: TestContext) => Promise<void>,
    options?: VisitOptions,
  ) => (t: TestContext) => Promise<void>
}

export interface VisitOptions extends BrowserContextOptions {
  /** Problems that the test itself causes, by their text. */
  readonly expected?: readonly RegExp[]
}

function newAddress(): string {
  addresses++
  return `10.7.${addresses >> 8}.${addresses & 255}`
}

let addresses = 0

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

const rootDir = join(import.meta.dirname, '../..')
