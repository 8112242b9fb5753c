import assert from 'node:assert/strict'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** A phone as narrow as any, on which nothing may scroll sideways. */
export const smallPhone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

/** The theme that the page is opened in. */
export async function openIn(page: Page, theme: Theme): Promise<void> {
  await page.addInitScript(([key, value]) => localStorage.setItem(key, value), [
    themeKey,
    stored[theme],
  ] as const)
}

/** The other theme, chosen as if in another tab, so that nothing that is open closes. */
export async function changeTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate(
    async ([key, value, theme]) => {
      // What is out of sight would begin to change its colours and never end.
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('* { content-visibility: visible !important }')
      document.adoptedStyleSheets.push(sheet)
      localStorage.setItem(key, value)
      window.dispatchEvent(new StorageEvent('storage', { key }))
      while (document.documentElement.dataset.theme !== theme) await nextFrame()
      // The colours begin to change in the next frame.
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

/** Fails on anything that axe finds. */
export async function axeFindsNothing(page: Page, when: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(node => `${id}: ${help}\n${node.target}\n${node.failureSummary}`),
  )
  assert.deepEqual(found, [], when)
}

/** Fails where the page, or a dialog on it, is wider than the screen. */
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

export type Theme = keyof typeof stored

const themeKey = 'lapwing.dark-mode'
const stored = { dark: '1', light: '0' } as const
