import { test } from 'node:test'
import { signIn } from './accounts.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit, screen } from './screen.ts'

const { visit } = lapwing()

test(
  'the leaderboard card offers signing in only to visitors, and tells others that there is no leaderboard yet',
  visit(async page => {
    await openFirstVisit(page)
    const offer = page.getByRole('button', { name: 'Sign In to Access Leaderboard' })
    await offer.waitFor()
    await signIn(page)
    await offer.waitFor({ state: 'detached' })
    await page.getByText('Please upload IBT file to view Leaderboard for this track.').waitFor()

    await screen.trySample(page).click()
    await page.getByText('Leaderboards are not available in this version yet.').waitFor()
    await offer.waitFor({ state: 'detached' })
  }),
)
