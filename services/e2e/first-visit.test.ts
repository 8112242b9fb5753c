import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lapwing } from './harness.ts'
import { openFirstVisit, screen } from './screen.ts'

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
  visit(async page => {
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
  }),
)

test(
  'shows the same screen on any other path',
  visit(async page => {
    await openFirstVisit(page, '/some/other/path')
    await openFirstVisit(page, '/authenticated')
  }),
)
