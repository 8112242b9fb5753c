import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signIn } from './accounts.ts'
import { card, noLapsYet } from './boards.ts'
import { fakeBoards } from './fake-boards.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit, screen, shownLaps } from './screen.ts'

const { visit } = lapwing({ reach: 'accounts', ownAddresses: true })

test(
  'offers visitors a sign-in in the card, without and with a session loaded, and fetches no board',
  visit(async page => {
    const boards = await fakeBoards(page)
    await openFirstVisit(page)
    const offer = card(page).getByRole('button', { name: 'Sign In to Access Leaderboard' })
    await offer.waitFor()
    await card(page).getByText('Please upload IBT file to view Leaderboard for this track.').waitFor()
    await screen.trySample(page).click()
    await shownLaps(page)
    await offer.click()
    await page.getByRole('dialog').getByRole('tab', { name: 'Sign up' }).waitFor()
    assert.equal(boards.calls.length, 0)
  }),
)

test(
  'shows the board after sign-in, and before a file is loaded what it needs',
  visit(async page => {
    await fakeBoards(page)
    await openFirstVisit(page)
    await signIn(page)
    await card(page).getByText('Please upload IBT file to view Leaderboard for this track.').waitFor()
    await screen.trySample(page).click()
    await card(page).getByText('No laps yet for this combination.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Sign In to Access Leaderboard' }).count(), 0)
  }, noLapsYet),
)
