import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@lapwing/testing/until.ts'
import type { Page } from 'playwright-core'
import { compare, openSampleAsDriver, turnOn } from './compare.ts'
import { lapwing, phone } from './harness.ts'
import { screen } from './screen.ts'

const { visit } = lapwing({ reach: 'accounts', ownAddresses: true })

test(
  'jumps to the table on a phone when compare mode is turned on or a reference is picked, and says so',
  visit(
    async page => {
      await openSampleAsDriver(page)
      await turnOn(page)
      await untilAtTable(page, 'Lap 5 against Lap 4.')
      await compare.reference(page).click()
      await page.getByRole('option', { name: /^Lap 2 / }).click()
      await untilAtTable(page, 'Lap 5 against Lap 2.')
    },
    { viewport: phone, hasTouch: true, isMobile: true, reducedMotion: 'reduce' },
  ),
)

test(
  'shows the reason above the views in two columns, and brings it back for a row far down the table',
  visit(
    async page => {
      await openSampleAsDriver(page)
      await turnOn(page)
      const reason = page.locator('.session-reason')
      const gauges = (await page.locator('.session-gauges').boundingBox())!
      const isInSight = async () => {
        const { y, height } = (await reason.boundingBox())!
        const header = (await page.getByRole('banner').boundingBox())!
        return y >= header.height && y + height <= gauges.y
      }
      await reason.getByText('Costliest corner').waitFor()
      assert.ok(await isInSight())
      const traces = (await screen.traces(page).boundingBox())!
      const table = (await compare.corners(page).boundingBox())!
      assert.ok(table.x + table.width < traces.x && traces.y + 100 < gauges.y)

      const last = compare.corner(page).last()
      await last.scrollIntoViewIfNeeded()
      assert.equal(await isInSight(), false)
      await last.click()
      const { height } = (await reason.boundingBox())!
      await reason.getByText((await last.textContent())!, { exact: true }).waitFor()
      await until(isInSight, 'the reason')
      assert.equal((await reason.boundingBox())!.height, height, 'The views moved.')
      await reason.getByRole('button', { name: 'All corners' }).click()
      await until(async () => {
        const { y } = (await last.boundingBox())!
        return y > 0 && y < gauges.y
      }, 'the row')
      assert.ok(await last.evaluate(row => row === document.activeElement))
    },
    { viewport: { width: 1024, height: 768 }, reducedMotion: 'reduce' },
  ),
)

test(
  'has what to do next and the first three rows of the corners in sight at 1440 x 900',
  visit(
    async page => {
      await openSampleAsDriver(page)
      await turnOn(page)
      const next = page.getByRole('region', { name: 'What to do next' })
      for (const lap of [0, 3]) {
        await screen.laps(page).nth(lap).click()
        await next.getByRole('listitem').first().waitFor()
        const { y, height } = (await next.boundingBox())!
        const rows = await compare
          .corners(page)
          .locator('tbody')
          .evaluateAll(bodies => bodies.slice(0, 3).map(body => body.getBoundingClientRect().bottom))
        const header = (await page.getByRole('banner').boundingBox())!
        assert.ok(y >= header.height && y + height < rows[0]!)
        // Below this the column fades out.
        assert.ok(rows.length === 3 && rows[2]! <= 900 - 12 - 20, String(rows))
      }
    },
    { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' },
  ),
)

for (const [width, height] of [
  [1366, 768],
  [1024, 768],
  [390, 844],
] as const) {
  test(
    `never has the focus below the header or the gauges at ${width} px`,
    visit(
      async page => {
        await openSampleAsDriver(page)
        await turnOn(page)
        await compare.corners(page).waitFor()
        await page.locator('body').press('Tab')
        const hidden: string[] = []
        for (let i = 0; i < 70; i++) {
          await page.keyboard.press('Tab')
          const name = await page.evaluate(async () => {
            const focused = document.activeElement!
            const cover = () => {
              const { x, y, width, height } = focused.getBoundingClientRect()
              const top = document.elementFromPoint(x + width / 2, y + Math.min(height / 2, 20))
              const bar = top?.closest('header, .session-gauges')
              return bar != null && !bar.contains(focused)
            }
            // A scroll may need some frames.
            for (let frame = 0; frame < 60 && cover(); frame++) await new Promise(requestAnimationFrame)
            return cover() ? (focused.ariaLabel ?? focused.textContent) : null
          })
          if (name !== null) hidden.push(name)
        }
        assert.deepEqual(hidden, [])
      },
      { viewport: { width, height }, reducedMotion: 'reduce' },
    ),
  )
}

test(
  'keeps corner buttons of touch screens apart and at least 24 px wide, 44 px high on the traces',
  visit(
    async page => {
      await openSampleAsDriver(page)
      await turnOn(page)
      for (const [name, height] of [
        ['Corners on the traces', 44],
        ['Corners on the outline', 24],
      ] as const) {
        const strip = page.getByRole('toolbar', { name })
        await strip.getByRole('button').first().waitFor()
        const areas = await strip.getByRole('button').evaluateAll(buttons =>
          buttons
            .filter(button => !(button as HTMLButtonElement).disabled)
            .map(button => {
              const { x, y, width, height } = button.getBoundingClientRect()
              const { top, bottom } = getComputedStyle(button, '::after')
              const grown = { top: Number.parseFloat(top) || 0, bottom: Number.parseFloat(bottom) || 0 }
              return { x, y: y + grown.top, width, height: height - grown.top - grown.bottom }
            }),
        )
        assert.ok(areas.length > 0)
        for (const [i, a] of areas.entries()) {
          assert.ok(a.width > 23.9 && a.height > height - 0.1, `${name}: ${JSON.stringify(a)}`)
          for (const b of areas.slice(i + 1)) {
            const isApart =
              Math.abs(a.x - b.x) >= 23.5 ||
              Math.abs(a.y - b.y) >= 23.5 ||
              Math.hypot(a.x - b.x, a.y - b.y) >= 23.5
            assert.ok(isApart, `${name}: ${JSON.stringify([a, b])}`)
          }
        }
      }
      assert.ok(await screen.traces(page).isVisible())
    },
    { viewport: phone, hasTouch: true, isMobile: true, reducedMotion: 'reduce' },
  ),
)

/** Waits until the page says that it moved to the table of these laps, and the table is below the header. */
async function untilAtTable(page: Page, laps: string) {
  await page.getByText(`Moved to where the time goes: ${laps}`).waitFor()
  await page.waitForFunction(() => {
    const heading = [...document.querySelectorAll('h2')].find(h2 => h2.textContent === 'Where the time goes')
    const { top } = heading!.getBoundingClientRect()
    return top > document.querySelector('header')!.getBoundingClientRect().bottom && top < innerHeight / 2
  })
}
