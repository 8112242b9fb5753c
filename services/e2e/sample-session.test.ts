import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lapwing } from './harness.ts'
import { openSample, screen, shownLaps } from './screen.ts'

const { visit, visitTogether } = lapwing({ reach: 'page' })
const together = visitTogether(openSample)

test(
  'shows a whole session with one click: the file, its laps, the outline, the traces and the gauges',
  together(async page => {
    await screen.loadedFile(page).getByText('Sample session').waitFor()
    await screen.outline(page).waitFor()
    await screen.traces(page).waitFor()
    for (const name of ['Throttle', 'Brake', 'Engine speed']) {
      await screen.gauges(page).getByRole('meter', { name }).waitFor()
    }
    assert.match(await page.title(), / — .+ · Lapwing$/)
  }),
)

test(
  'selects the fastest complete lap first, and lists laps from fast to slow',
  together(async page => {
    const laps = await shownLaps(page)
    assert.ok(laps.length >= 2, `only ${laps.join(', ')}`)
    const times = laps.map(lap => lap.split(' ')[2]!)
    assert.deepEqual(times, times.toSorted())
    assert.equal(await screen.laps(page).first().getAttribute('aria-pressed'), 'true')
    const chosen = await screen.selectedLap(page).textContent()
    assert.ok(chosen?.includes(times[0]!), `${chosen} is not the fastest, ${laps[0]}`)
  }),
)

test(
  'shows partial laps, marked as partial, when Valid Laps only is off',
  together(async page => {
    const valid = await shownLaps(page)
    assert.equal(await screen.validLapsOnly(page).isChecked(), true)
    await screen.validLapsOnly(page).click()
    const all = await shownLaps(page)
    assert.deepEqual(all.slice(0, valid.length), valid)
    const partial = await screen.laps(page).filter({ hasText: '(partial)' }).count()
    assert.equal(partial, all.length - valid.length)
    assert.ok(partial > 0)
    await screen.validLapsOnly(page).click()
    assert.deepEqual(await shownLaps(page), valid)
  }),
)

test(
  'selects another lap in the list or in the drop-down, and updates everything',
  together(async page => {
    const [, second] = await shownLaps(page)
    const name = second!.split(' ').slice(0, 2).join(' ')
    await screen.laps(page).nth(1).click()
    await screen.gauges(page).getByText(name, { exact: true }).waitFor()
    await page.getByRole('slider', { name: `${name} on the track outline` }).waitFor()
    await page.getByRole('slider', { name: `${name} on the traces` }).waitFor()

    await screen.selectedLap(page).click()
    await page.getByRole('option').first().click()
    assert.equal(await screen.laps(page).first().getAttribute('aria-pressed'), 'true')
  }),
)

test(
  'moves the gauges and the traces to the place that the pointer is on in the outline',
  together(async page => {
    const before = await screen.gauges(page).textContent()
    const positionBefore = await screen.traces(page).getAttribute('aria-valuenow')
    await screen.traces(page).hover({ position: { x: 300, y: 60 } })
    await page.waitForFunction(
      ([gauges, position]) =>
        document.querySelector('[aria-label$="on the traces"]')?.getAttribute('aria-valuenow') !== position &&
        [...document.querySelectorAll('section')].some(
          section => section.textContent?.includes('My Lap Telemetry') && section.textContent !== gauges,
        ),
      [before, positionBefore] as const,
    )
    // Each part is drawn in a separate frame.
    await page.waitForFunction(() => {
      const [outline, traces] = ['on the track outline', 'on the traces'].map(end =>
        document.querySelector(`[aria-label$="${end}"]`)?.getAttribute('aria-valuenow'),
      )
      return outline === traces
    })
  }),
)

test(
  'returns to the first visit when the file is closed',
  visit(async page => {
    await openSample(page)
    await page.getByRole('button', { name: 'Close file' }).click()
    await screen.chooseFile(page).waitFor()
    assert.equal(await screen.laps(page).count(), 0)
  }),
)
