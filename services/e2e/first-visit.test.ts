import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstOther, press } from './first-other.ts'
import { desktop, lapwing, phone } from './harness.ts'
import { openFirstVisit, openSample, openUsedVisit, screen } from './screen.ts'

const { visit } = lapwing({ reach: 'page' })

test(
  'shows a visitor where to drop a file, its purpose, and a sample without a file',
  visit(async page => {
    await openFirstVisit(page)
    assert.equal(await page.title(), 'Lapwing')
    await screen.dropArea(page).getByText('Drop an .ibt file.').waitFor()
    assert.equal(await screen.chooseFile(page).isEnabled(), true)
    assert.equal(await screen.trySample(page).isEnabled(), true)
    assert.equal(await page.getByRole('button', { name: 'Sign in', exact: true }).isVisible(), true)
    await page.getByText('Please upload IBT file to view Leaderboard for this track.').waitFor()
    await page.getByRole('button', { name: 'Sign In to Access Leaderboard' }).waitFor()
  }),
)

test(
  'opens the file dialog with a click anywhere on the drop area and with its button',
  visit(async page => {
    await openFirstVisit(page)
    for (const open of [
      () => screen.chooseFile(page).click(),
      () => screen.dropArea(page).click({ position: { x: 12, y: 12 } }),
    ]) {
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), open()])
      assert.equal(chooser.isMultiple(), true)
    }
  }),
)

test(
  'opens the dialog on sign up, keeps the chosen tab, and closes on Escape',
  visit(
    async page => {
      await openFirstVisit(page)
      const dialog = page.getByRole('dialog')
      const open = () => page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await open()
      assert.equal(await dialog.getByRole('tab', { name: 'Sign up' }).getAttribute('aria-selected'), 'true')
      await dialog.getByRole('tab', { name: 'Log in' }).click()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.reload()
      await screen.chooseFile(page).waitFor()
      await open()
      assert.equal(await dialog.getByRole('tab', { name: 'Log in' }).getAttribute('aria-selected'), 'true')
    },
    // This stack has no identity service, which the log-in tab asks for a passkey.
    { expected: [/webauthn/, /503/] },
  ),
)

test(
  'shows the same screen on any other path',
  visit(async page => {
    await openFirstVisit(page, '/some/other/path')
    await openFirstVisit(page, '/authenticated')
  }),
)

/** Bytes over the network, headers included. */
const MOST_BYTES = 200_000

test(
  'transfers at most 200 kB to a visitor who does nothing',
  visit(async page => {
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    let bytes = 0
    network.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    // Otherwise the page loads ahead after some seconds.
    await network.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true })
    await openFirstVisit(page)
    await page.waitForLoadState('networkidle')
    assert.ok(bytes > 50_000 && bytes <= MOST_BYTES, `${bytes} bytes`)
  }),
)

test(
  'shows the header while the code is on its way, at the place where it stays',
  visit(async page => {
    const code = Promise.withResolvers<void>()
    await page.route(/\/assets\/index-[^/]*\.js$/, async route => {
      await code.promise
      await route.continue()
    })
    await page.goto('/', { waitUntil: 'commit' })
    const name = page.getByText('Lapwing', { exact: true })
    await page.getByRole('status').getByText('Loading the page…').waitFor()
    const before = await name.boundingBox()
    code.resolve()
    await screen.chooseFile(page).waitFor()
    const after = await name.boundingBox()
    assert.deepEqual([before?.x, before?.y, before?.height], [after?.x, after?.y, after?.height])
  }),
)

/** Cumulative layout shift: at most a tenth of what the web's own guide calls good. */
const MOST_SHIFT = 0.01

for (const viewport of [desktop, phone]) {
  test(
    `moves nothing when the fonts arrive late, ${viewport.width} px wide`,
    visit(
      async page => {
        const fonts = Promise.withResolvers<void>()
        await page.route(/\.woff2$/, async route => {
          await fonts.promise
          await route.continue()
        })
        await page.addInitScript(watchShifts)
        await openFirstVisit(page)
        fonts.resolve()
        await page.waitForFunction(() => document.fonts.check('600 1rem "Inter Variable"'))
        await page.evaluate(() => document.fonts.ready)
        // The shift of a frame is known after the next one.
        await page.evaluate(
          () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        )
        const shift = await page.evaluate(() => (window as unknown as { shift: number }).shift)
        assert.ok(shift <= MOST_SHIFT, `${shift}`)
      },
      { viewport },
    ),
  )
}

/** Runs in the page. Adds up how far its content moves. */
function watchShifts() {
  const page = window as unknown as { shift: number }
  page.shift = 0
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) page.shift += (entry as unknown as { value: number }).value
  }).observe({ type: 'layout-shift', buffered: true })
}

const offline = [/ERR_INTERNET_DISCONNECTED/, /dynamically imported module/]

test(
  'opens the sample without a network once somebody has used the page',
  visit(
    async page => {
      await openUsedVisit(page)
      await page.context().setOffline(true)
      await screen.trySample(page).click()
      await screen.laps(page).first().waitFor()
    },
    { expected: offline },
  ),
)

test(
  'stays on the page whatever is pressed without a network',
  visit(
    async page => {
      await openSample(page)
      await page.waitForLoadState('networkidle')
      await page.context().setOffline(true)
      const buttons = page.getByRole('button').or(page.getByRole('link')).or(page.getByRole('radio'))
      const names = new Set<string>()
      // A dialog whose code is missing opens late, perhaps after Escape was pressed. Escape would stop the reading.
      const late = page.getByRole('dialog').filter({ hasNot: page.getByRole('progressbar') })
      await page.addLocatorHandler(late, () => page.keyboard.press('Escape'))
      for (;;) {
        const lap = screen.laps(page).first()
        await lap.or(screen.trySample(page)).waitFor()
        if (await screen.trySample(page).isVisible()) {
          await screen.trySample(page).click()
          await lap.waitFor()
        }
        const next = await firstOther(buttons, names)
        if (next === null) break
        // The press before may only now have closed the session and with it this control.
        if (!(await press(next))) names.delete(next.name)
        await page.keyboard.press('Escape')
        assert.equal(new URL(page.url()).pathname, '/')
        await page.getByRole('link', { name: 'Lapwing' }).waitFor()
      }
      assert.ok(names.size > 10, `${names.size} controls were pressed`)
    },
    { expected: offline },
  ),
)
