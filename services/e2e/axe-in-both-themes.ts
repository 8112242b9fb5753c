import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { until } from '@lapwing/testing/until.ts'
import type { CDPSession, Page } from 'playwright-core'
import { desktop, type Lapwing, type VisitOptions } from './harness.ts'

/** Every screen or state by its name, with the steps that open it. */
export type Screens = Readonly<Record<string, (page: Page) => Promise<unknown>>>

/**
 * Tests each screen on a desktop and then on a phone, in both themes. One visit serves all four, because opening
 * a screen takes most of the time. With `start`, all screens share a window: `start` opens the page, and each screen
 * begins where the one before it was, without its dialogs. `otherPalette` adds the colour-blind palette: each size
 * shows it in its second theme.
 */
export function testInBothThemes(
  screens: Screens,
  { visit, visitTogether }: Pick<Lapwing, 'visit' | 'visitTogether'>,
  { start, otherPalette = false, ...others }: TestInBothThemes = {},
): void {
  const palette = otherPalette ? 'colour-blind' : 'standard'
  // Reduced motion, so that axe checks final colours and not a transition.
  const options: VisitOptions = { reducedMotion: 'reduce', ...others, viewport: desktop }
  const together =
    start &&
    visitTogether(
      async page => {
        await openIn(page, 'dark')
        await start(page)
      },
      { ...options, leave: becomeDesktop },
    )
  for (const [name, open] of Object.entries(screens)) {
    const check = async (page: Page) => {
      if (!together) await openIn(page, 'dark')
      await open(page)
      await scrollToTop(page)
      await axeFindsNothing(page, 'desktop, dark')
      await changeLook(page, { theme: 'light', palette })
      await coloursHaveContrast(page, `desktop, light, ${palette}`)

      const before = await openLayers(page)
      await resize(page, narrowestPhone)
      await changeLook(page, { theme: 'light', palette: 'standard' })
      assert.deepEqual(await openLayers(page), before, 'the phone shows another state')
      await scrollToTop(page)
      await nothingScrollsSideways(page)
      await axeFindsNothing(page, 'phone, light')
      await changeLook(page, { theme: 'dark', palette })
      await coloursHaveContrast(page, `phone, dark, ${palette}`)
    }
    test(
      `axe finds nothing on ${name}, desktop and phone, both themes, and it never scrolls sideways`,
      together ? together(check) : visit(check, options),
    )
  }
}

export interface TestInBothThemes extends Pick<VisitOptions, 'expected'> {
  readonly start?: (page: Page) => Promise<unknown>
  readonly otherPalette?: boolean
}

/** Closes what is open above the page, and turns the window into that of a desktop in the dark theme. */
async function becomeDesktop(page: Page): Promise<void> {
  await until(async () => {
    if ((await page.locator('[role=dialog], [role=listbox]').count()) === 0) return true
    await page.keyboard.press('Escape')
    return false
  }, 'nothing is open above the page')
  await resize(page, { ...desktop, mobile: false })
  await changeLook(page, { theme: 'dark', palette: 'standard' })
}

/** On it, nothing may scroll sideways. */
const narrowestPhone = { width: 360, height: 740, mobile: true }

async function resize(page: Page, size: typeof narrowestPhone): Promise<void> {
  const emulation = emulations.get(page) ?? (await page.context().newCDPSession(page))
  emulations.set(page, emulation)
  await emulation.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1 })
  await emulation.send('Emulation.setTouchEmulationEnabled', { enabled: size.mobile })
  await page.waitForFunction(width => document.documentElement.clientWidth === width, size.width)
}

/** One a window: two would disagree about its size. */
const emulations = new WeakMap<Page, CDPSession>()

/** Returns the roles of what is open on the page: a resize must not close it. */
function openLayers(page: Page): Promise<(string | null)[]> {
  return page
    .locator('[role=dialog], [role=listbox], [role=alert]')
    .evaluateAll(list => list.map(element => element.role))
}

/** axe reports content that is half under a header, which is no fault. */
async function scrollToTop(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const element of document.querySelectorAll(':root, [role=dialog] *')) element.scrollTop = 0
  })
}

/** Opens the page in this theme. */
async function openIn(page: Page, theme: Theme): Promise<void> {
  await page.addInitScript(([key, value]) => localStorage.setItem(key, value), [
    themeKey,
    stored[theme],
  ] as const)
}

/** Changes theme and palette as from another tab, so that nothing open closes. */
async function changeLook(
  page: Page,
  { theme, palette }: { readonly theme: Theme; readonly palette: 'standard' | 'colour-blind' },
): Promise<void> {
  await page.evaluate(
    async ({ keys, theme, palette }) => {
      // Hidden content would start its colour transition and never finish it.
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('* { content-visibility: visible !important }')
      document.adoptedStyleSheets.push(sheet)
      for (const [key, value] of keys) {
        localStorage.setItem(key, value)
        window.dispatchEvent(new StorageEvent('storage', { key }))
      }
      const shown = document.documentElement.dataset
      while (shown.theme !== theme || shown.palette !== palette) await nextFrame()
      for (;;) {
        // The colour transitions start in the next frame, and those of children again when that of a parent ends.
        await nextFrame()
        await nextFrame()
        const changes = document
          .getAnimations()
          .filter(
            change => change instanceof CSSTransition && /color|fill|opacity/.test(change.transitionProperty),
          )
        if (changes.length === 0) break
        await Promise.allSettled(changes.map(({ finished }) => finished))
      }

      function nextFrame() {
        return new Promise(resolve => requestAnimationFrame(resolve))
      }
    },
    {
      keys: [
        [themeKey, stored[theme]],
        ['lapwing.palette', palette],
      ] as const,
      theme,
      palette,
    },
  )
}

/** Fails on any finding of axe. */
export async function axeFindsNothing(page: Page, when: string): Promise<void> {
  await check(page, when, axe =>
    axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']),
  )
}

/** Fails on a finding that depends on colour. All other rules check what no theme changes. */
export async function coloursHaveContrast(page: Page, when: string): Promise<void> {
  await check(page, when, axe => axe.withRules(['color-contrast', 'link-in-text-block']))
}

async function check(page: Page, when: string, choose: (axe: AxeBuilder) => AxeBuilder): Promise<void> {
  // The builder would add the long form of axe, twice a call. Compiling it takes longer than a check.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  // No frame of another origin is on the page. Otherwise each call opens a further page to collect the results.
  const axe = new AxeBuilder({ page, axeSource: ';' }).setLegacyMode()
  // Without the elements that pass, which nobody reads, a check takes half of the CPU.
  const { violations } = await choose(axe.options({ resultTypes: ['violations'] })).analyze()
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(node => `${id}: ${help}\n${node.target}\n${node.failureSummary}`),
  )
  assert.deepEqual(found, [], when)
}

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Fails if the page, or a dialog on it, is wider than the screen. */
async function nothingScrollsSideways(page: Page): Promise<void> {
  const { scroll, client, beyond } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    client: document.documentElement.clientWidth,
    beyond: [...document.querySelectorAll('[role=dialog] *')]
      .filter(element => element.getBoundingClientRect().right > window.innerWidth)
      // A wide table scrolls in a region of its own, which has a name and the focus.
      .filter(element => !element.parentElement?.closest('section[aria-label][tabindex="0"]'))
      .map(element => element.outerHTML.slice(0, 80)),
  }))
  assert.ok(scroll <= client, `${scroll} px wide on ${client} px`)
  assert.deepEqual(beyond, [])
}

type Theme = keyof typeof stored

const themeKey = 'lapwing.dark-mode'
const stored = { dark: '1', light: '0' } as const
