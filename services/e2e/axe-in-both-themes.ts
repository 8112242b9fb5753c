import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { desktop, type Lapwing, type VisitOptions } from './harness.ts'

/** Every screen or state by its name, with the steps that open it. */
export type Screens = Readonly<Record<string, (page: Page) => Promise<unknown>>>

/** Tests each screen on a desktop and on a phone, in both themes. */
export function testInBothThemes(
  screens: Screens,
  { visit }: Pick<Lapwing, 'visit'>,
  options: Pick<VisitOptions, 'expected'> = {},
): void {
  // Reduced motion, so that axe checks final colours and not a transition.
  const still = { reducedMotion: 'reduce', ...options } as const
  for (const [name, open] of Object.entries(screens)) {
    test(
      `axe finds nothing on ${name}, desktop, dark and then light`,
      visit(
        async page => {
          await openIn(page, 'dark')
          await open(page)
          await axeFindsNothing(page, 'dark')
          await changeTheme(page, 'light')
          await axeFindsNothing(page, 'light')
        },
        { ...still, viewport: desktop },
      ),
    )

    test(
      `axe finds nothing on ${name}, phone, light and then dark, and it never scrolls sideways`,
      visit(
        async page => {
          await openIn(page, 'light')
          await open(page)
          await nothingScrollsSideways(page)
          await axeFindsNothing(page, 'light')
          await changeTheme(page, 'dark')
          await axeFindsNothing(page, 'dark')
        },
        { ...still, ...smallPhone },
      ),
    )
  }
}

/** The narrowest phone; nothing may scroll sideways on it. */
const smallPhone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

/** Opens the page in this theme. */
async function openIn(page: Page, theme: Theme): Promise<void> {
  await page.addInitScript(([key, value]) => localStorage.setItem(key, value), [
    themeKey,
    stored[theme],
  ] as const)
}

/** Changes the theme as from another tab, so that nothing open closes. */
async function changeTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate(
    async ([key, value, theme]) => {
      // Hidden content would start its colour transition and never finish it.
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('* { content-visibility: visible !important }')
      document.adoptedStyleSheets.push(sheet)
      localStorage.setItem(key, value)
      window.dispatchEvent(new StorageEvent('storage', { key }))
      while (document.documentElement.dataset.theme !== theme) await nextFrame()
      // The colour transitions start in the next frame.
      await nextFrame()
      const changes = document.getAnimations().filter(animation => animation instanceof CSSTransition)
      await Promise.allSettled(changes.map(({ finished }) => finished))

      function nextFrame() {
        return new Promise(resolve => requestAnimationFrame(resolve))
      }
    },
    [themeKey, stored[theme], theme] as const,
  )
}

/** Fails on any finding of axe. */
export async function axeFindsNothing(page: Page, when: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    // No frame of another origin is on the page. Otherwise each call opens a further page to collect the results.
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(node => `${id}: ${help}\n${node.target}\n${node.failureSummary}`),
  )
  assert.deepEqual(found, [], when)
}

/** Fails if the page, or a dialog on it, is wider than the screen. */
export async function nothingScrollsSideways(page: Page): Promise<void> {
  const { scroll, client, beyond } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    client: document.documentElement.clientWidth,
    beyond: [...document.querySelectorAll('[role=dialog] *')]
      .filter(element => element.getBoundingClientRect().right > window.innerWidth)
      .map(element => element.outerHTML.slice(0, 80)),
  }))
  assert.ok(scroll <= client, `${scroll} px wide on ${client} px`)
  assert.deepEqual(beyond, [])
}

type Theme = keyof typeof stored

const themeKey = 'lapwing.dark-mode'
const stored = { dark: '1', light: '0' } as const
