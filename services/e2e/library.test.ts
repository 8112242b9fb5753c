import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dropFiles } from './give-file.ts'
import { desktop, lapwing } from './harness.ts'
import { library, openLibrary, removeFile, replacePicker, storeSessions, writeFiles } from './library.ts'
import { openFirstVisit, screen, shownLaps } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'
import { simulatedFile } from './testing/simulated-file.ts'

/** A driver's telemetry folder as a library, in a browser without a window for its picker. */
const { visit } = lapwing({ reach: 'page' })

const startDate = (day: string) => new Date(`${day}T18:00:00Z`)
const fast = {
  name: 'fast.ibt',
  bytes: anIbt({ lapTimesS: [20.4, 20.1], startDate: startDate('2026-11-23') }),
}
const slow = {
  name: 'league/slow.ibt',
  bytes: anIbt({ lapTimesS: [21.4], startDate: startDate('2026-11-29') }),
}
const park = { name: '晩 парк.ibt', bytes: simulatedFile() }
const broken = { name: 'broken.ibt', bytes: new Uint8Array(500) }

test(
  'lists the sessions of the folder, opens one with a press, and sends nothing',
  visit(async page => {
    const sent: string[] = []
    page.on('request', request => request.method() !== 'GET' && sent.push(request.url()))
    await openLibrary(page, fast, slow, park)
    assert.match((await library.row(page, 'Lapwing Ring').first().textContent())!, /0:2[01]\.[14]00/)
    await library.dialog(page).getByTitle('fast.ibt').click()
    assert.deepEqual((await shownLaps(page)).slice(0, 2), ['Lap 2 0:20.100', 'Lap 1 0:20.400'])
    await library.dialog(page).waitFor({ state: 'detached' })
    assert.deepEqual(sent, [])

    await library.again(page).click()
    await library.dialog(page).getByTitle('晩 парк.ibt').click()
    await page.getByRole('heading', { name: /Greywater Park/ }).waitFor()
  }),
)

test(
  'shows the list again after a reload without reading a file, and then only reads what is new',
  visit(async page => {
    await openLibrary(page, fast, slow)
    await page.reload()
    await screen.chooseFile(page).waitFor()
    const readers: string[] = []
    page.on('worker', worker => readers.push(worker.url()))
    await library.entrance(page).click()
    await library.dialog(page).getByTitle('fast.ibt').waitFor()
    await library.dialog(page).getByTitle('league/slow.ibt').waitFor()
    assert.deepEqual(
      readers.filter(url => url.includes('library')),
      [],
    )
    // The simulator finishes another session while the page is open.
    await writeFiles(page, park)
    await library.dialog(page).getByTitle('晩 парк.ibt').waitFor()
  }),
)

test(
  'says why a file cannot be read, and that another is no longer there',
  visit(async page => {
    // A new file without a header can be one that the simulator begins to write, so these are an hour old.
    await page.addInitScript(() => {
      const now = Date.now
      Date.now = () => now() + 3_600_000
    })
    await openLibrary(page, fast, slow)
    await writeFiles(page, broken)
    await library.row(page, 'broken.ibt').getByText('This is not an iRacing telemetry file').waitFor()
    await removeFile(page, 'fast.ibt')
    await library.dialog(page).getByTitle('fast.ibt').click()
    await screen.alert(page).getByText('The file is no longer in the folder.').waitFor()
    await removeFile(page, null)
    await screen.alert(page).getByText('The folder was moved or deleted. Choose it again.').waitFor()
    await library.dialog(page).getByTitle('league/slow.ibt').waitFor()
  }),
)

test(
  'finds sessions by search and filters, grouped by day or track',
  visit(
    async page => {
      await openLibrary(page, fast, slow, park)
      const dialog = library.dialog(page)
      await dialog.getByRole('searchbox', { name: 'Search sessions' }).fill('greywater')
      await library.row(page, 'Lapwing Ring').first().waitFor({ state: 'detached' })
      assert.equal(await library.rows(page).count(), 1)
      await dialog.getByRole('searchbox').fill('nowhere')
      await dialog.getByText('No session matches. Change the search or a filter.').waitFor()
      await dialog.getByRole('searchbox').fill('')
      await dialog.getByRole('combobox', { name: 'Track' }).selectOption('Lapwing Ring, Short')
      await library.row(page, 'Greywater').waitFor({ state: 'detached' })
      await dialog.getByRole('combobox', { name: 'Order' }).selectOption('Fastest lap')
      await dialog.getByRole('combobox', { name: 'Groups' }).selectOption('By track')
      await dialog.getByRole('heading', { name: 'Lapwing Ring, Short 2' }).waitFor()
      assert.match((await library.rows(page).first().textContent())!, /0:20\.100/)
    },
    { viewport: desktop },
  ),
)

test(
  'is used with the keyboard alone: arrows go from session to session, unfold laps, and Enter opens',
  visit(async page => {
    await openLibrary(page, fast, slow)
    await library.rows(page).first().focus()
    await page.keyboard.press('End')
    const last = library.rows(page).last()
    await last.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowRight')
    await library.dialog(page).getByRole('list', { name: 'Laps' }).getByText('0:20.400').waitFor()
    await page.keyboard.press('ArrowLeft')
    await library.dialog(page).getByRole('list', { name: 'Laps' }).waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowUp')
    await library.rows(page).first().and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    assert.deepEqual((await shownLaps(page))[0], 'Lap 1 0:21.400')
  }),
)

test(
  'reaches the first and the last of 5,000 sessions with the keyboard, finds one, and holds few rows in the document',
  visit(async page => {
    await openFirstVisit(page)
    await storeSessions(page, 5000)
    await page.reload()
    await library.entrance(page).click()
    await library.status(page).getByText('5,000 files', { exact: true }).waitFor()
    const focused = (path: string) =>
      library.dialog(page).getByTitle(path, { exact: true }).and(page.locator(':focus')).waitFor()
    await library.rows(page).first().focus()
    for (const [key, path] of [
      ['End', 'session 4999.ibt'],
      ['PageUp', 'session 4991.ibt'],
      ['Home', 'session 0.ibt'],
    ] as const) {
      await page.keyboard.press(key)
      await focused(path)
    }
    assert.ok((await library.rows(page).count()) < 50)
    await library.dialog(page).getByRole('searchbox').fill('4321')
    await library.dialog(page).getByTitle('session 4321.ibt').waitFor()
    await library.dialog(page).getByTitle('session 0.ibt', { exact: true }).waitFor({ state: 'detached' })
    assert.equal(await library.rows(page).count(), 1)
  }),
)

test(
  'reads the folder in one tab while another waits, which then lists everything and reads nothing',
  visit(async page => {
    await replacePicker(page)
    await openFirstVisit(page)
    await writeFiles(page, fast, slow)
    // The first tab has to wait for its readers, so that both tabs want to read at the same time.
    let start = () => {}
    const canStart = new Promise<void>(resolve => {
      start = resolve
    })
    await page.route(/library\.worker/, async route => {
      await canStart
      await route.continue()
    })
    await library.entrance(page).click()
    await library.chooseFolder(page).click()
    await library.status(page).getByText('reading 1 of 2').waitFor()

    const second = await page.context().newPage()
    const readers: string[] = []
    second.on('worker', worker => worker.url().includes('library') && readers.push(worker.url()))
    await openFirstVisit(second)
    await library.entrance(second).click()
    await library.status(second).getByText('another tab is reading the folder').waitFor()
    start()
    for (const tab of [page, second]) {
      await library.status(tab).getByText('2 files', { exact: true }).waitFor()
      for (const path of ['fast.ibt', 'league/slow.ibt']) await library.dialog(tab).getByTitle(path).waitFor()
    }
    assert.deepEqual(readers, [])
  }),
)

test(
  'forgets the list and the folder, in all tabs, and starts again without them',
  visit(async page => {
    await openLibrary(page, fast)
    const second = await page.context().newPage()
    await openFirstVisit(second)
    await library.entrance(second).click()
    await library.dialog(second).getByTitle('fast.ibt').waitFor()
    await library.forget(page).click()
    await library.dialog(page).getByRole('button', { name: 'Keep' }).click()
    await library.forget(page).click()
    await library.dialog(page).getByRole('alertdialog').getByRole('button', { name: 'Forget all' }).click()
    for (const tab of [page, second]) await library.chooseFolder(tab).waitFor()
    await page.reload()
    await library.entrance(page).click()
    await library.chooseFolder(page).waitFor()
  }),
)

test(
  'reads chosen files in a browser without folders, and asks for them again after a reload',
  visit(async page => {
    await page.addInitScript(() => Reflect.deleteProperty(window, 'showDirectoryPicker'))
    await openFirstVisit(page)
    await library.entrance(page).click()
    await library.chooseFolder(page).waitFor()
    const choose = () =>
      page
        .getByLabel('Telemetry files')
        .setInputFiles([
          { name: fast.name, mimeType: 'application/octet-stream', buffer: Buffer.from(fast.bytes) },
        ])
    await choose()
    await library.dialog(page).getByTitle('fast.ibt').waitFor()
    await page.reload()
    await library.entrance(page).click()
    await library.dialog(page).getByTitle('fast.ibt').click()
    await screen.alert(page).getByText('This browser does not remember files.').waitFor()
  }),
)

for (const [what, refuse] of [
  [
    'denies its store',
    () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('Denied.', 'SecurityError')
      }
    },
  ],
  [
    'has no room',
    () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('No room.', 'QuotaExceededError')
      }
    },
  ],
] as const) {
  test(
    `lists the folder in a browser that ${what}, and says that the list is not stored`,
    visit(async page => {
      await page.addInitScript(refuse)
      await openLibrary(page, fast)
      await library.dialog(page).getByText('The browser has no room for this list').waitFor()
    }),
  )
}

test(
  'shows the progress at a track, whose sessions open',
  visit(async page => {
    await openLibrary(page, park)
    await library.dialog(page).getByRole('radio', { name: 'Progress' }).click()
    const row = library.dialog(page).getByRole('table').getByRole('row').nth(1)
    assert.match((await row.getByRole('cell').first().textContent())!, /\d:\d\d\.\d{3}/)
    await row.getByRole('img', { name: 'Personal best' }).waitFor()
    await library.dialog(page).locator('canvas').waitFor()
    await row.getByTitle(park.name).click()
    await page.getByRole('heading', { name: /Greywater Park/ }).waitFor()
  }),
)

test(
  'adds files that were dropped together with one press',
  visit(async page => {
    await replacePicker(page)
    await openFirstVisit(page)
    await dropFiles(page, fast, { ...slow, name: 'slow.ibt' })
    await page.getByRole('button', { name: 'Show all in your library' }).click()
    for (const name of ['fast.ibt', 'slow.ibt']) await library.dialog(page).getByTitle(name).waitFor()
  }),
)
