import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { browserFlags } from '@lapwing/e2e/browser-flags'
import { findChromium } from '@lapwing/e2e/find-chromium'
import { type RecordingProxy, recordingProxy } from '@lapwing/e2e/recording-proxy'
import { buildFrontend } from '@lapwing/local/build-frontend'
import { stack } from '@lapwing/local/stack'
import { startStack } from '@lapwing/local/start-stack'
import { type Browser, chromium, type Page } from 'playwright-core'
import type { BenchContext } from './bench.ts'

/** The built page behind the real gateway, in Chromium. */
export interface RealPage {
  /**
   * Opens the page in a new window and waits until its preloading is done. The proxy that counts bytes has another
   * address than the page may sign in from, so a page that signs in is opened without it.
   */
  open(options?: { readonly signsIn?: boolean }): Promise<Page>
  /** Bytes that the browser has sent since its start, for any reason. */
  sentBytes(): number
}

/**
 * Builds the page if it has changed, starts everything and a browser, and stops them after `work`. Returns
 * null if this machine has no Chromium.
 */
export async function withRealPage<T>(
  { root, log }: BenchContext,
  work: (page: RealPage) => Promise<T>,
): Promise<T | null> {
  const executablePath = findChromium(process.env)
  if (executablePath === null) return null
  const folder = join(root, '.lapwing', 'bench')
  mkdirSync(folder, { recursive: true })
  await buildFrontend({ rootDir: root, dataDir: join(root, '.lapwing'), say: log })
  const dataDir = mkdtempSync(join(folder, 'stack-'))
  const closing: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })]
  try {
    const running = await startStack({
      parts: stack,
      rootDir: root,
      dataDir,
      publicPort: 0,
      publicHost: '127.0.0.1',
      env: { ...process.env, LOG_LEVEL: 'warn' },
      say: log,
    })
    closing.push(running.stop)
    const proxy = await recordingProxy(running.url)
    closing.push(proxy.close)
    const browser = await chromium.launch({ executablePath, args: browserFlags })
    closing.push(() => browser.close())
    return await work(realPage(browser, proxy, running.url))
  } finally {
    for (const close of closing.toReversed()) await close()
  }
}

/** The reason for null lines of a page. */
export const NO_CHROMIUM = 'no Chromium on this machine'

function realPage(browser: Browser, proxy: RecordingProxy, publicUrl: string): RealPage {
  return {
    async open({ signsIn = false } = {}) {
      const context = await browser.newContext({
        baseURL: signsIn ? publicUrl : proxy.url,
        viewport: { width: 1440, height: 900 },
        locale: 'en-GB',
        // Otherwise the outline's animation takes half a second, which is no work.
        reducedMotion: 'reduce',
      })
      const page = await context.newPage()
      // The browser may close before the window is closed.
      page.once('close', () => void context.close().catch(() => undefined))
      const hasReader = page.waitForEvent('worker')
      await page.goto('/')
      await hasReader
      await page.waitForLoadState('networkidle')
      return page
    },
    sentBytes: () => proxy.sent().length,
  }
}
