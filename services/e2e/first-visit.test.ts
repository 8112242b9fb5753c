import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lapwing } from './harness.ts'
import { openFirstVisit, screen } from './screen.ts'

const { visit } = lapwing({ reach: 'page' })

test(
  'a visitor sees where to drop a file, what it is for, and a way to look without one',
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
  'a click anywhere on the drop area opens the file dialog, and so does its button',
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
  'signing in opens the dialog on sign up, the tab chosen is kept, and Escape closes it',
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
  'any other path is the same screen',
  visit(async page => {
    await openFirstVisit(page, '/some/other/path')
    await openFirstVisit(page, '/authenticated')
  }),
)
