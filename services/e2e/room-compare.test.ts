import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare, openSampleAsDriver, turnOn } from './compare.ts'
import { lapwing, phone } from './harness.ts'
import { screen } from './screen.ts'

const { visit } = lapwing({ reach: 'accounts', ownAddresses: true })

test(
  'jumps to the table on a phone when a reference is picked, and says so',
  visit(
    async page => {
      await openSampleAsDriver(page)
      await turnOn(page)
      await compare.corners(page).waitFor()
      assert.equal(await page.getByText('Moved to where the time goes').count(), 0)
      await compare.reference(page).click()
      await page.getByRole('option', { name: /^Lap 2 / }).click()
      await page.getByText('Moved to where the time goes: Lap 5 against Lap 2.').waitFor()
      await page.waitForFunction(() => {
        const heading = [...document.querySelectorAll('h2')].find(
          h2 => h2.textContent === 'Where the time goes',
        )
        const { top } = heading!.getBoundingClientRect()
        return top > 60 && top < innerHeight / 2
      })
    },
    { viewport: phone, hasTouch: true, isMobile: true, reducedMotion: 'reduce' },
  ),
)

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
