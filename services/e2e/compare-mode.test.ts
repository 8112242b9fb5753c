import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agreeAt, newEmail, signIn, signOut } from './accounts.ts'
import {
  answerReference,
  boardsOfSample,
  compare,
  openSampleAsDriver,
  sample,
  sampleLaps,
  toast,
  trackOf,
  turnOn,
} from './compare.ts'
import { lapwing } from './harness.ts'
import { openSample, screen, untilFocused } from './screen.ts'

const { visit } = lapwing({ reach: 'accounts', ownAddresses: true })

const [, second] = sampleLaps

test(
  'asks a visitor who turns compare mode on to sign in, then turns it on',
  visit(async page => {
    await boardsOfSample(page)
    await openSample(page)
    await compare.toggle(page).click()
    const dialog = page.getByRole('dialog')
    await untilFocused(dialog)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await compare.toggle(page).isChecked(), false)

    // Closing the dialog cancels compare mode; a later sign-in for another reason leaves it off.
    await signIn(page)
    assert.equal(await compare.toggle(page).isChecked(), false)
    assert.equal(await compare.card(page).isVisible(), false)
  }),
)

test(
  'turns compare mode on after a sign-in by password in its dialog',
  visit(async page => {
    await boardsOfSample(page)
    await openSample(page)
    const driver = await signIn(page)
    await signOut(page)
    await screen.trySample(page).click()
    await compare.toggle(page).click()
    await page.getByRole('dialog').getByRole('tab', { name: 'Log in' }).click()
    await page.getByLabel('Email').fill(driver.email)
    await page.getByLabel('Password', { exact: true }).fill(driver.password)
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in', exact: true }).click()
    await compare.gauges(page).waitFor()
    assert.equal(await compare.toggle(page).isChecked(), true)
  }),
)

test(
  'turns compare mode on by #compare=1 for a signed-in driver, and clears the address',
  visit(async page => {
    await openSampleAsDriver(page)
    assert.equal(await compare.toggle(page).isChecked(), false)
    await page.evaluate(() => {
      location.hash = '#compare=1'
    })
    await compare.gauges(page).waitFor()
    await page.waitForFunction(() => location.hash === '' && !location.href.includes('#'))

    await page.goto('/terms')
    await page.goto('/#compare=1')
    await page.waitForFunction(() => location.hash === '')
    // The sample session reopens by itself.
    await compare.gauges(page).waitFor()
  }),
)

test(
  'waits with #compare=1 until a visitor signs in',
  visit(async page => {
    await boardsOfSample(page)
    await page.goto('/#compare=1')
    await screen.trySample(page).click()
    await screen.laps(page).first().waitFor()
    assert.equal(await compare.toggle(page).isChecked(), false)
    await signIn(page)
    await compare.gauges(page).waitFor()
    await page.waitForFunction(() => location.hash === '')
  }),
)

test(
  'turns compare mode off at sign-out and clears the reference',
  visit(async page => {
    const boards = await openSampleAsDriver(page)
    await turnOn(page)
    answerReference(boards, trackOf(sample, second!))
    await compare.catchAhead(page).click()
    await toast(page, 'Loaded reference lap from kerbrider')
    await signOut(page)
    await screen.trySample(page).click()
    await screen.laps(page).first().waitFor()
    assert.equal(await compare.toggle(page).isChecked(), false)
    assert.equal(await compare.gauges(page).isVisible(), false)
    assert.equal(await page.getByText('kerbrider').isVisible(), false)
  }),
)

test(
  'returns to compare mode after signing in at a provider for it',
  visit(async page => {
    await boardsOfSample(page)
    await openSample(page)
    await compare.toggle(page).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Continue with Google' }).click()
    await agreeAt(page, 'Google', newEmail())
    await page.waitForURL(url => url.pathname === '/' && url.hash === '')
    // The open session reopens.
    await compare.gauges(page).waitFor()
    assert.equal(await compare.toggle(page).isChecked(), true)
  }),
)
