import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { lapwing } from './harness.ts'
import { openFirstVisit, screen, shownLaps, untilFocused } from './screen.ts'

const { visit } = lapwing({ reach: 'page', hasMotion: true })

test(
  'leads by keys alone from the first visit to a chosen lap and along it',
  visit(async page => {
    await openFirstVisit(page)
    await tabTo(page, 'Try a sample session')
    await page.keyboard.press('Enter')
    const laps = await shownLaps(page)

    await tabTo(page, 'Lap')
    await page.keyboard.press('Enter')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const second = laps[1]!.split(' ').slice(0, 2).join(' ')
    await screen.gauges(page).getByText(second, { exact: true }).waitFor()

    await tabTo(page, `${second} on the track outline`)
    await page.keyboard.press('ArrowRight')
    const outline = screen.outline(page)
    const start = Number(await outline.getAttribute('aria-valuenow'))
    await page.keyboard.press('End')
    await page.waitForFunction(
      before =>
        Number(
          document.querySelector('[aria-label$="on the track outline"]')?.getAttribute('aria-valuenow'),
        ) > before,
      start,
    )
    assert.ok((await outline.getAttribute('aria-valuetext'))?.includes('%'))
  }),
)

test(
  'chooses a lap in the list with keys',
  visit(async page => {
    await openFirstVisit(page)
    await tabTo(page, 'Try a sample session')
    await page.keyboard.press('Space')
    await shownLaps(page)
    await screen.laps(page).nth(1).focus()
    await page.keyboard.press('Enter')
    assert.equal(await screen.laps(page).nth(1).getAttribute('aria-pressed'), 'true')
  }),
)

test(
  'moves the focus once around the session, always visible and never trapped',
  visit(async page => {
    await openFirstVisit(page)
    await screen.trySample(page).click()
    await shownLaps(page)
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    const seen: string[] = []
    for (;;) {
      await page.keyboard.press('Tab')
      const stop = await focused(page)
      if (stop.name === null || (seen.length > 0 && stop.key === seen[0])) break
      assert.ok(stop.name !== '', `the focus is on something without a name: ${stop.key}`)
      assert.ok(stop.isOutlined, `the focus cannot be seen on "${stop.name}"`)
      assert.ok(seen.length < 80, 'the focus does not come round')
      seen.push(stop.key)
    }
    assert.equal(new Set(seen).size, seen.length)
    assert.ok(seen.length > 8, seen.join('\n'))
  }),
)

test(
  'keeps the focus in a dialog, and returns it to its opener',
  visit(async page => {
    await openFirstVisit(page)
    await tabTo(page, 'Sign in')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await untilFocused(dialog)
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press('Tab')
      assert.ok(await dialog.evaluate(element => element.contains(document.activeElement)))
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement?.textContent === 'Sign in')
  }),
)

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab')
    const stop = await focused(page)
    if (stop.name === name) return
    passed.push(stop.name ?? 'the page')
  }
  assert.fail(`Tab never reaches "${name}", only ${[...new Set(passed)].join(', ')}`)
}

interface FocusStop {
  /** Null if nothing has the focus; empty if the focused element has no name. */
  readonly name: string | null
  readonly isOutlined: boolean
  readonly key: string
}

function focused(page: Page): Promise<FocusStop> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return { name: null, isOutlined: false, key: '' }
    const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : []
    const text = element.getAttribute('aria-label') ?? labels[0]?.textContent ?? element.textContent ?? ''
    const path: number[] = []
    for (let node: Element | null = element; node?.parentElement; node = node.parentElement) {
      path.unshift([...node.parentElement.children].indexOf(node))
    }
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
    return {
      name: text.trim(),
      isOutlined: (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none',
      key: `${path.join('.')} ${element.tagName} ${text.trim().slice(0, 40)}`,
    }
  })
}
