import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { CLEAN_HINT } from '../../frontend/src/shared/laps/clean-hint.ts'
import { aSavedLap } from '../../frontend/src/testing/a-saved-lap.ts'
import { openDialog, openSettings } from './accounts.ts'
import {
  card,
  dropRing,
  heldBack,
  lapwingWithStore,
  noLapsYet,
  openAsDriver,
  openFullBoard,
  ring,
  ringDrivers,
} from './boards.ts'
import { dropFiles } from './give-file.ts'
import { openFirstVisit, screen } from './screen.ts'

/** A person who uses only keys keeps the focus when the pressed control disappears or is disabled. */
const { visit, store } = await lapwingWithStore({ hasMotion: true })

const hasFocus = (control: Locator) => control.evaluate(element => element === document.activeElement)

async function press(page: Page, control: Locator, key = 'Enter'): Promise<void> {
  await control.focus()
  await page.keyboard.press(key)
}

test(
  'hides and deletes a lap by keys: the focus stays or goes to the next lap, and the dialog does not move',
  visit(async page => {
    const boards = await openAsDriver(page, store, ({ laps }) => {
      laps.push(aSavedLap(1), aSavedLap(2), aSavedLap(3))
    })
    await (await openSettings(page)).getByRole('button', { name: 'Your saved laps' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your saved laps' })
    const laps = dialog.getByRole('listitem')
    await laps.nth(2).waitFor()
    const heading = dialog.getByRole('heading', { name: 'Your saved laps' })
    const place = await heading.boundingBox()

    const reference = laps.first().getByRole('switch', { name: 'Reference' })
    const { released, release } = heldBack()
    boards.answerNext(/^PATCH/, { after: released })
    await press(page, reference, 'Space')
    await dialog.locator('[role=switch][aria-disabled=true]').waitFor()
    assert.equal(await hasFocus(reference), true)
    release()
    await dialog.getByRole('switch', { checked: false }).waitFor()
    assert.equal(await hasFocus(reference), true)

    const bin = (index: number) => laps.nth(index).getByRole('button', { name: 'Delete lap' }).first()
    const deleteLap = async (index: number) => {
      const left = await laps.count()
      await press(page, bin(index))
      await page.waitForFunction(() => document.activeElement?.textContent === 'Keep it')
      assert.deepEqual(await heading.boundingBox(), place)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await laps.nth(left - 1).waitFor({ state: 'detached' })
      assert.deepEqual(await heading.boundingBox(), place)
    }
    await deleteLap(1)
    assert.equal(await hasFocus(bin(1)), true)
    await deleteLap(1)
    assert.equal(await hasFocus(bin(0)), true)
  }),
)

test(
  'cancels and resumes an upload by keys',
  visit(async page => {
    const boards = await openAsDriver(page, store)
    const { released, release } = heldBack()
    boards.answerNext('POST /v1/upload/init', { after: released })
    await dropRing(page)
    const file = screen.loadedFile(page)
    const isInside = () => file.evaluate(element => element.contains(document.activeElement))
    await press(page, file.getByRole('button', { name: 'Cancel' }))
    await file.getByText('Best lap not saved').waitFor()
    assert.equal(await isInside(), true)
    release()
    await page.keyboard.press('Tab')
    assert.equal(await hasFocus(file.getByRole('button', { name: 'Save' })), true)
    await page.keyboard.press('Enter')
    await file.getByText('Best lap saved').waitFor()
    assert.equal(await isInside(), true)
  }, noLapsYet),
)

test(
  'returns the focus from the panel for a forgotten password to where it began',
  visit(async page => {
    await openFirstVisit(page)
    const dialog = await openDialog(page, 'Log in')
    const forgot = dialog.getByRole('button', { name: 'Forgot Password' })
    await press(page, forgot)
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'email')
    await press(page, dialog.getByRole('button', { name: 'Back to sign in' }))
    await forgot.waitFor()
    assert.equal(await hasFocus(forgot), true)
  }),
)

test(
  'asks a second question on Enter before it deletes an account, with the focus on keeping it',
  visit(async page => {
    await openAsDriver(page, store)
    await press(page, (await openSettings(page)).getByRole('button', { name: 'Delete account' }))
    const dialog = page.getByRole('dialog', { name: 'Delete account' })
    const field = dialog.getByRole('textbox')
    await press(page, field)
    assert.equal(await field.isVisible(), true)
    const label = (await dialog.locator('label').textContent()) ?? ''
    await field.fill(label.split(' ')[1]!)
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Delete everything' }).waitFor()
    assert.equal(await hasFocus(dialog.getByRole('button', { name: 'Keep my account' })), true)
  }),
)

test(
  'saves a name on Enter during its check once it is free',
  visit(async page => {
    await openAsDriver(page, store)
    await press(page, (await openSettings(page)).getByRole('button', { name: 'Edit username' }))
    const dialog = page.getByRole('dialog', { name: 'Update username' })
    await dialog.getByLabel('Username').fill('quick_enter')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    // The focus returns in a task after the one that closes the dialog.
    const settings = page.getByRole('button', { name: 'Settings of quick_enter' })
    await settings.and(page.locator(':focus')).waitFor()
  }),
)

test(
  'dismisses a notice and retries a failed board by keys',
  visit(
    async page => {
      const boards = await openAsDriver(page, store)
      boards.addEntries(ring, ringDrivers(3))
      const main = page.getByRole('main')
      await dropFiles(page, { name: 'notes.txt', bytes: new Uint8Array(9) })
      await press(page, main.getByRole('button', { name: 'Dismiss' }))
      await screen.alert(page).waitFor({ state: 'detached' })
      assert.equal(await hasFocus(main), true)

      const broken = { problem: [500, 'leaderboard.failed', 'Something went wrong.'] } as const
      boards.answerNext('GET /leaderboards/context-id', broken, broken, broken)
      const { released, release } = heldBack()
      boards.answerNext('POST /v1/upload/init', { after: released })
      await dropRing(page)
      await press(page, card(page).getByRole('button', { name: 'Retry' }))
      release()
      await card(page).getByText('slipstream').waitFor()
      assert.equal(await card(page).evaluate(element => element.contains(document.activeElement)), true)
    },
    { expected: [/\b500\b/] },
  ),
)

test(
  'explains parts of the board and of the corners to key users too',
  visit(async page => {
    const { addEntries } = await openAsDriver(page, store)
    addEntries(ring, ringDrivers(3))
    await dropRing(page)
    const board = await openFullBoard(page)
    await press(page, board.getByRole('radio', { name: 'All laps' }), 'ArrowRight')
    await page.getByRole('tooltip', { name: CLEAN_HINT }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByRole('switch', { name: 'Compare Laps' }).click()
    await page.getByRole('button', { name: 'Loss', exact: true }).focus()
    await page.getByRole('tooltip', { name: 'Time lost to the reference' }).waitFor()
  }),
)
