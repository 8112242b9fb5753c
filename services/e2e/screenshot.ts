/**
 * `make screenshot`: takes the README's screenshots in the dark theme: the sample session, two of its laps in 3D, and
 * the library.
 * With `WIDTH`, in CSS pixels, it stores a picture of the whole page at that width in `.lapwing` instead.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildFrontend } from '@lapwing/local/build-frontend'
import { stack } from '@lapwing/local/stack'
import { startStack } from '@lapwing/local/start-stack'
import { chromium } from 'playwright-core'
import { browserFlags } from './browser-flags.ts'
import { openSampleAsDriver, turnOn } from './compare.ts'
import { findChromium } from './find-chromium.ts'
import { library, openLibrary } from './library.ts'
import { show3d } from './map.ts'
import { openSample, screen } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'
import { simulatedFile } from './testing/simulated-file.ts'

const rootDir = join(import.meta.dirname, '../..')
const { WIDTH } = process.env
const file = join(rootDir, WIDTH ? `.lapwing/session-${WIDTH}.png` : 'frontend/docs/session-dark.png')
const say = (line: string) => console.log(line)

const executablePath = findChromium(process.env)
if (executablePath === null) {
  say('The picture needs Chromium or Chrome. Install it, or set CHROME_PATH to where it is.')
  process.exit(1)
}
mkdirSync(join(rootDir, '.lapwing'), { recursive: true })
const dataDir = mkdtempSync(join(rootDir, '.lapwing/screenshot-'))
await buildFrontend({ rootDir, dataDir: join(rootDir, '.lapwing'), say })
const running = await startStack({
  parts: stack,
  rootDir,
  dataDir,
  publicPort: 0,
  publicHost: '127.0.0.1',
  env: process.env,
  say,
})
const browser = await chromium.launch({ executablePath, args: browserFlags })
try {
  const open = async (height: number) => {
    const context = await browser.newContext({
      baseURL: running.url,
      viewport: { width: WIDTH ? Number(WIDTH) : 1440, height },
      deviceScaleFactor: 2,
      locale: 'en-GB',
      reducedMotion: 'reduce',
    })
    return context.newPage()
  }
  const page = await open(900)
  await openSample(page)
  // The cursor is in a braking zone, which shows the purpose of the page.
  await screen.traces(page).hover({ position: { x: WIDTH ? 100 : 300, y: 60 } })
  await page.waitForLoadState('networkidle')
  mkdirSync(join(file, '..'), { recursive: true })
  await page.screenshot({ path: file, fullPage: Boolean(WIDTH) })
  say(`Taken: ${file}`)
  if (!WIDTH) {
    await running.late
    const race = await open(900)
    await openSampleAsDriver(race)
    await turnOn(race)
    await screen.laps(race).nth(2).click()
    await show3d(race)
    await race.getByRole('button', { name: 'Play the lap' }).click()
    await race.getByRole('button', { name: 'Pause the lap' }).click()
    await race.getByRole('slider', { name: 'Time of the lap' }).fill('48')
    // Lower and from the side, so that the sky is in the picture.
    for (const key of ['w', 'w', 'a']) await screen.scene(race).press(key)
    await race.waitForLoadState('networkidle')
    const scene = join(file, '../ground-dark.png')
    await race.getByRole('region', { name: 'Track Outline' }).screenshot({ path: scene, timeout: 60_000 })
    say(`Taken: ${scene}`)
    const folder = await open(900)
    await openLibrary(folder, ...evenings())
    const sessions = library.dialog(folder)
    await sessions
      .getByRole('button', { name: /^Laps of/ })
      .nth(1)
      .click()
    await sessions.getByRole('list', { name: 'Laps' }).waitFor()
    const list = join(file, '../library-dark.png')
    await sessions.screenshot({ path: list })
    say(`Taken: ${list}`)
  }
} finally {
  await browser.close()
  await running.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Returns the files of a week in which the driver gets faster. */
function evenings() {
  const drives = [0.925, 0.93, 0.942, 0.94, 0.95].map((pace, i) => ({
    name: `greywater ${i + 1}.ibt`,
    bytes: simulatedFile({ startedAt: `2026-05-1${i + 2}T19:20:00Z`, pace }),
  }))
  const rings = [14, 16].map(day => ({
    name: `ring ${day}.ibt`,
    bytes: anIbt({ lapTimesS: [20.9, 20.4, 20.1], startDate: new Date(`2026-05-${day}T20:05:00Z`) }),
  }))
  return [...drives, ...rings]
}
