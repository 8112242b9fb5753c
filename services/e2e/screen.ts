import { until } from '@lapwing/testing/until.ts'
import type { Locator, Page, Request } from 'playwright-core'

/** Elements that a person finds on the screen, so that a test reads like their actions. */
export const screen = {
  dropArea: (page: Page) => page.getByRole('region', { name: 'Upload a telemetry file' }),
  chooseFile: (page: Page) => page.getByRole('button', { name: 'Choose file' }),
  trySample: (page: Page) => page.getByRole('button', { name: 'Try a sample session' }),
  loadedFile: (page: Page) => page.getByRole('region', { name: 'Loaded file' }),
  laps: (page: Page) => page.getByRole('list', { name: 'Laps' }).getByRole('button'),
  selectedLap: (page: Page) => page.getByRole('combobox', { name: 'Lap' }),
  validLapsOnly: (page: Page) => page.getByRole('switch', { name: 'Valid Laps only' }),
  outline: (page: Page) => page.getByRole('slider', { name: /on the track outline/ }),
  /** The view button of the 2D map. */
  show2d: (page: Page) => page.getByRole('radio', { name: '2D' }),
  map: (page: Page) => page.getByRole('slider', { name: /on the map/ }),
  /** The view button of the 3D scene. */
  show3d: (page: Page) => page.getByRole('radio', { name: '3D (Photo)' }),
  scene: (page: Page) => page.getByRole('slider', { name: /in 3D/ }),
  traces: (page: Page) => page.getByRole('slider', { name: /on the traces/ }),
  gauges: (page: Page) => page.getByRole('region', { name: 'My Lap Telemetry' }),
  alert: (page: Page) => page.getByRole('alert'),
  /** The specification's toasts. */
  toast: (page: Page) => page.locator('[data-sonner-toast]'),
  themeSwitch: (page: Page) => page.getByRole('switch', { name: 'Dark theme' }),
} satisfies Record<string, (page: Page) => Locator>

/** Opens the first visit and waits until it is usable. */
export async function openFirstVisit(page: Page, path = '/'): Promise<void> {
  await page.goto(path)
  await screen.chooseFile(page).waitFor()
}

const loadedAhead = [/SessionView[^/]*\.js$/, /make-sample-session[^/]*\.js$/, /Toaster[^/]*\.js$/]

/** Opens the first visit, uses the page, and waits until all code that it then loads ahead is there. */
export async function openUsedVisit(page: Page): Promise<void> {
  const open = new Set<Request>()
  const missing = new Set(loadedAhead)
  page.on('request', request => open.add(request))
  page.on('requestfailed', request => open.delete(request))
  page.on('requestfinished', request => {
    open.delete(request)
    for (const name of missing) if (name.test(request.url())) missing.delete(name)
  })
  await openFirstVisit(page)
  await page.mouse.move(200, 200)
  await until(() => missing.size === 0 && open.size === 0)
}

/** Loads the sample session and waits for its laps. */
export async function openSample(page: Page): Promise<void> {
  await openFirstVisit(page)
  await screen.trySample(page).click()
  await screen.laps(page).first().waitFor()
}

/** Closes the file, if one is open, and every toast. */
export async function closeFile(page: Page): Promise<void> {
  const close = page.getByRole('button', { name: 'Close file' })
  if (await close.isVisible()) await close.click()
  await screen.chooseFile(page).waitFor()
  // By events, because toasts cover each other.
  await page.locator('[data-sonner-toast] [data-close-button]').evaluateAll(buttons => {
    for (const button of buttons) (button as HTMLElement).click()
  })
  await screen.toast(page).first().waitFor({ state: 'detached' })
}

/** Waits until a dialog has the focus: it receives keys only from then on. */
export async function untilFocused(dialog: Locator): Promise<void> {
  await dialog.and(dialog.page().locator(':focus-within')).waitFor()
}

/** Presses outside an open dialog, which listens only from the task after its opening. */
export async function pressBeside(page: Page, x: number, y: number): Promise<void> {
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))))
  await page.mouse.click(x, y)
}

/**
 * Returns the visible laps as "Lap 2 0:20.200", in the order shown; a partial lap without a time is "Lap 1".
 */
export async function shownLaps(page: Page): Promise<string[]> {
  await screen.laps(page).first().waitFor()
  const texts = await screen.laps(page).allTextContents()
  return texts.map(text => {
    const number = /^Lap (\d+)/.exec(text)
    // Number and time are in two columns, so their digits touch in the text.
    const time = /\d:\d\d\.\d{3}/.exec(text)?.[0]
    return [`Lap ${time ? text.slice(4, text.indexOf(time)).trim() : number?.[1]}`, time]
      .filter(Boolean)
      .join(' ')
  })
}
