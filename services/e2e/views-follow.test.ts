import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { compare, openSampleAsDriver, turnOn } from './compare.ts'
import { lapwing, phone } from './harness.ts'
import { openSample, screen } from './screen.ts'

/** Outline, traces and table show one part of the lap, whichever of them chose it. */
const { visit, visitTogether } = lapwing({ reach: 'accounts', ownAddresses: true })
const comparing = visitTogether(async page => {
  await openSampleAsDriver(page)
  await turnOn(page)
  await screen.laps(page).nth(2).click()
  await compare.gauges(page).getByText('Lap 5', { exact: true }).waitFor()
})

const range = (page: Page) => page.getByText(/^\d\.\d\d–\d\.\d\d km$/)
const zoom = (page: Page) => page.getByRole('group', { name: 'Zoom' }).getByRole('status')
const wholeLap = (page: Page) => page.getByRole('button', { name: 'Whole lap' })
const onTraces = (page: Page) => page.getByRole('toolbar', { name: 'Corners on the traces' })
const onOutline = (page: Page) => page.getByRole('toolbar', { name: 'Corners on the outline' })

/** Returns both ends of the shown part in kilometres. */
async function kilometres(page: Page): Promise<[number, number]> {
  const [from, to] = (await range(page).textContent())!.split(/[–k ]/).map(Number)
  return [from!, to!]
}

const nextFrame = (page: Page) =>
  page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))

const legend = (page: Page) => page.getByRole('list', { name: 'Colours of the lap' })

async function chooseColours(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Colour by' }).click()
  await page.getByRole('option', { name, exact: true }).click()
}

/** Counts the pixels of the outline whose colour is near to a token's, or to a colour. */
function pixelsOf(page: Page, token: string): Promise<number> {
  return page.evaluate(name => {
    const canvas = document.querySelector<HTMLCanvasElement>('canvas')!
    const probe = document.createElement('canvas').getContext('2d')!
    const style = getComputedStyle(document.documentElement)
    probe.fillStyle = name.startsWith('--') ? style.getPropertyValue(name) : name
    probe.fillRect(0, 0, 1, 1)
    const [r, g, b] = probe.getImageData(0, 0, 1, 1).data
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    let count = 0
    for (let i = 0; i < data.length; i += 4) {
      const far = Math.abs(data[i]! - r!) + Math.abs(data[i + 1]! - g!) + Math.abs(data[i + 2]! - b!)
      if (far < 24 && data[i + 3]! > 200) count++
    }
    return count
  }, token)
}

test(
  'chooses a corner by its number on the traces, and gives it up there',
  comparing(async page => {
    const third = onTraces(page).getByRole('button', { name: 'Turn 3', exact: true })
    await third.click()
    const row = compare.corners(page).getByRole('button', { name: 'Turn 3', exact: true })
    assert.equal(await row.getAttribute('aria-pressed'), 'true')
    assert.equal(await third.getAttribute('aria-pressed'), 'true')
    const [from, to] = await kilometres(page)
    assert.ok(from > 0.8 && to < 1.3, `${from} to ${to}`)
    // What is chosen fills the outline, and the zoom counts from there.
    assert.equal(await zoom(page).textContent(), '1.0×')
    await third.click()
    await wholeLap(page).waitFor({ state: 'detached' })
    assert.equal(await row.getAttribute('aria-pressed'), 'false')
  }),
)

test(
  'chooses a corner by its number on the outline, with keys alone',
  comparing(async page => {
    await page.getByRole('button', { name: 'Reset view' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    // The stop is where the driver left it.
    await page.keyboard.press('Home')
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    assert.equal(await focused(), 'Turn 1')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    assert.equal(await focused(), 'Turn 3')
    await page.keyboard.press('Enter')
    const row = compare.corners(page).getByRole('button', { name: 'Turn 3', exact: true })
    assert.equal(await row.getAttribute('aria-pressed'), 'true')
    // One stop of the Tab key for all numbers, and the place in it stays.
    assert.equal(await onOutline(page).locator('button[tabindex="0"]').count(), 1)
    await page.keyboard.press('Enter')
    await wholeLap(page).waitFor({ state: 'detached' })
    await page.keyboard.press('End')
    assert.equal(await focused(), 'Turn 10')
  }),
)

test(
  'fills the outline with a chosen corner, and goes on to zoom from there',
  comparing(async page => {
    const road = () => pixelsOf(page, '--reference')
    await nextFrame(page)
    const whole = await road()
    await onTraces(page).getByRole('button', { name: 'Turn 3', exact: true }).click()
    await nextFrame(page)
    assert.equal(await zoom(page).textContent(), '1.0×')
    const before = await kilometres(page)
    for (let press = 0; press < 12; press++) await screen.outline(page).press('+')
    assert.equal(await zoom(page).textContent(), '4.0×')
    // The traces show what the outline shows.
    const near = await kilometres(page)
    assert.ok(near[1] - near[0] < (before[1] - before[0]) / 2, `${before} then ${near}`)
    assert.ok((await road()) > 0 && whole > 0)
    await page.getByRole('button', { name: 'Reset view' }).click()
    await wholeLap(page).waitFor({ state: 'detached' })
    assert.equal(await zoom(page).textContent(), '1.0×')
  }),
)

test(
  'tells both lines apart at every zoom of the outline',
  comparing(async page => {
    for (const corner of [null, 'Turn 3', 'Turn 1']) {
      if (corner) await onTraces(page).getByRole('button', { name: corner, exact: true }).click()
      for (const press of ['0', '-', '-', '-', '+', '+', '+', '+', '+', '+', '+', '+']) {
        if (press !== '0') await screen.outline(page).press(press)
        await nextFrame(page)
        const own = (await pixelsOf(page, '--throttle')) + (await pixelsOf(page, '--brake'))
        const other = await pixelsOf(page, '--reference')
        assert.ok(own > 60 && other > 60, `${corner} ${await zoom(page).textContent()}: ${own}, ${other}`)
      }
      await page.getByRole('button', { name: 'Reset view' }).click()
    }
  }),
)

test(
  'selects a part of the lap by a drag along the distance axis, and the outline follows',
  comparing(async page => {
    const strip = page.locator('[data-part="distance-axis"]')
    await strip.scrollIntoViewIfNeeded()
    const axis = (await strip.boundingBox())!
    const lengthKm = 3.1
    const drag = async (from: number, to: number) => {
      await page.mouse.move(axis.x + from * axis.width, axis.y + 8)
      await page.mouse.down()
      await page.mouse.move(axis.x + to * axis.width, axis.y + 8, { steps: 4 })
    }
    await drag(0.5, 0.25)
    assert.ok(await page.locator('[data-part="selection"]').isVisible())
    await page.keyboard.press('Escape')
    await page.mouse.up()
    assert.equal(await range(page).count(), 0)

    await drag(0.5, 0.25)
    await page.mouse.up()
    await page.locator('[data-part="selection"]').waitFor({ state: 'hidden' })
    const [from, to] = await kilometres(page)
    assert.ok(Math.abs(to / from - 2) < 0.05 && to - from < lengthKm / 3, `${from} to ${to}`)
    assert.equal(await zoom(page).textContent(), '1.0×')
    // Only some of the corners are there.
    const seen = await onOutline(page).getByRole('button').count()
    assert.ok(seen > 0 && seen < 8, `${seen} corners`)
    await wholeLap(page).click()
  }),
)

test(
  'fits the value axes to what is seen',
  comparing(async page => {
    const speed = page.locator('[data-series="speed"] [data-part="dot"]')
    const y = () => speed.evaluate(dot => new DOMMatrix(getComputedStyle(dot).transform).f)
    // Turn 8 is fast: on the whole lap its speeds differ by a few pixels.
    await onTraces(page).getByRole('button', { name: 'Turn 8', exact: true }).click()
    const surface = screen.traces(page)
    const spread = async () => {
      const ys: number[] = []
      const box = (await surface.boundingBox())!
      for (let share = 0.04; share < 0.98; share += 0.08) {
        await page.mouse.move(box.x + share * box.width, box.y + 60)
        await nextFrame(page)
        ys.push(await y())
      }
      return Math.max(...ys) - Math.min(...ys)
    }
    assert.ok((await spread()) > 50, 'the line of a fast corner is flat')
    await wholeLap(page).click()
    await page.mouse.move(5, 5)
  }),
)

test(
  'locks the cursor on L and on Enter, and goes from corner to corner on Page Down and Page Up',
  comparing(async page => {
    const traces = screen.traces(page)
    await traces.focus()
    for (const key of ['l', 'Enter']) {
      await page.keyboard.press(key)
      await page.waitForFunction(() => document.querySelector('[data-cursor="locked"]'))
      await page.keyboard.press(key)
      await page.waitForFunction(() => !document.querySelector('[data-cursor="locked"]'))
    }
    const pressed = compare.corners(page).getByRole('button', { pressed: true })
    for (const [key, corner] of [
      ['PageDown', 'Turn 1'],
      ['PageDown', 'Turn 2'],
      ['PageDown', 'Turn 3'],
      ['PageUp', 'Turn 2'],
      ['PageUp', 'Turn 1'],
      ['PageUp', 'Turn 10'],
    ] as const) {
      await page.keyboard.press(key)
      await pressed.getByText(corner, { exact: true }).waitFor()
    }
    // The same keys on the outline.
    await screen.outline(page).press('PageDown')
    await pressed.getByText('Turn 1', { exact: true }).waitFor()
    await wholeLap(page).click()
  }),
)

test(
  'colours the outline by gain and loss, each with its sign in the legend',
  comparing(async page => {
    await chooseColours(page, 'Gain and loss')
    await nextFrame(page)
    assert.deepEqual(await legend(page).getByRole('listitem').allTextContents(), [
      '− Gaining',
      '+ Losing',
      'Level',
      'Reference',
    ])
    // This lap lost 1.4 s and gained in one corner.
    const [loss, gain] = [await pixelsOf(page, '--loss'), await pixelsOf(page, '--gain')]
    assert.ok(loss > 3 * gain && gain > 20, `${loss} and ${gain} pixels`)
    await chooseColours(page, 'Pedals')
  }),
)

test(
  'colours the outline by speed, gear and delta with one legend, in both themes',
  comparing(async page => {
    const entries = () => legend(page).getByRole('listitem').allTextContents()
    await chooseColours(page, 'Speed')
    await nextFrame(page)
    assert.match((await entries())[0]!, /^Speed\d+\d+ km\/h$/)
    // The slowest and the fastest of seven steps.
    assert.ok((await pixelsOf(page, '#4c6ef5')) > 20 && (await pixelsOf(page, '#ffe066')) > 20)
    assert.ok((await pixelsOf(page, '--throttle')) < 20)

    await chooseColours(page, 'Gear')
    await nextFrame(page)
    assert.deepEqual((await entries()).slice(-2), ['6', 'Reference'])
    assert.ok((await pixelsOf(page, '#4a7fe0')) > 20)

    await chooseColours(page, 'Delta')
    await nextFrame(page)
    assert.match((await entries())[0]!, /^Delta−1\.\d{3} s\+1\.\d{3} s$/)
    assert.ok((await pixelsOf(page, '--loss')) > 20)
    assert.ok((await pixelsOf(page, '--gain')) < 20)

    // Another theme has other colours of the pedals' neutral and of gain and loss.
    await chooseColours(page, 'Gain and loss')
    await screen.themeSwitch(page).click()
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'light')
    await nextFrame(page)
    assert.ok((await pixelsOf(page, '--loss')) > 20)
    await screen.themeSwitch(page).click()
    await chooseColours(page, 'Pedals')
  }),
)

test(
  'says that the band is not the road’s edge, and offers no gain and loss without a reference',
  visit(async page => {
    await openSample(page)
    await page.getByText('The band follows your lap; it is not the road’s edge.').waitFor()
    await page.getByRole('combobox', { name: 'Colour by' }).click()
    assert.deepEqual(await page.getByRole('option').allTextContents(), ['Pedals', 'Speed', 'Gear'])
    await page.keyboard.press('Escape')
    // Without corners Page Down scrolls, as everywhere.
    await screen.traces(page).press('PageDown')
    assert.equal(await range(page).count(), 0)
  }),
)

test(
  'lets one finger scroll past the whole lap, and move a part of it',
  visit(
    async page => {
      await openSampleAsDriver(page)
      await turnOn(page)
      const touch = () => screen.outline(page).evaluate(element => element.style.touchAction)
      assert.equal(await touch(), 'pan-y')
      await onTraces(page).getByRole('button').first().tap()
      await wholeLap(page).waitFor()
      assert.equal(await touch(), 'none')
      await wholeLap(page).tap()
      assert.equal(await touch(), 'pan-y')
    },
    { viewport: phone, hasTouch: true, isMobile: true, reducedMotion: 'reduce' },
  ),
)
