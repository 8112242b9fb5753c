import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoBoards } from '@lapwing/local/demo/boards'
import { connectDemo } from '@lapwing/local/demo/connect-demo'
import { clearBoards, fillBoards } from '@lapwing/local/demo/fill-boards'
import { signIn } from './accounts.ts'
import { fullBoard } from './boards.ts'
import { compare, gapAtLine, msOf, toast } from './compare.ts'
import { lapwing } from './harness.ts'
import { openSample, screen } from './screen.ts'

const { visit, dataDir } = lapwing({ reach: 'everything' })

/** Errors that the browser logs for a board without laps. */
const noLapsYet = [/Failed to load resource/, /^answer: 404 to GET .*\/leaderboards\/context-id/]

test(
  'compares the sample session with a demo driver, who is marked as generated',
  visit(
    async page => {
      const client = await connectDemo(dataDir())
      const demo = { dataDir: dataDir(), client, say: () => {} }
      const boards = demoBoards.map(board => ({ ...board, drivers: 4 }))
      await fillBoards(demo, boards, { seed: 5, now: new Date('2026-06-01T12:00:00Z') })

      await openSample(page)
      await signIn(page)
      await page.getByRole('button', { name: 'Show Full Leaderboard' }).click()
      const dialog = fullBoard(page)
      await dialog.getByText('Showing 4 of 4 drivers').waitFor()
      await dialog.getByText('Demo drivers and their laps are generated.').waitFor()
      await dialog.getByRole('combobox', { name: 'Track' }).click()
      await page.getByRole('option').nth(2).waitFor()
      assert.deepEqual(await page.getByRole('option').allTextContents(), [
        'Greywater Park, Grand Prix',
        'Lime Rock Park, Grand Prix',
        'Summit Point Raceway, Jefferson',
      ])
      await page.getByRole('option', { name: 'Greywater Park, Grand Prix' }).press('Escape')

      const use = dialog.getByRole('button', { name: /^Use as Reference: Demo driver \d{4}$/ }).first()
      const name = (await use.getAttribute('aria-label'))!.replace('Use as Reference: ', '')
      await use.click()
      await toast(page, `Loaded reference lap from ${name}`)
      await compare.gauges(page).getByText(name, { exact: true }).waitFor()
      const gap = compare.corners(page).getByRole('row', { name: 'Gap at the line' })
      assert.equal(await gapAtLine(page), msOf(await gap.getByRole('cell').last().textContent()))

      assert.ok((await clearBoards(demo)) > 0)
      await page.reload()
      await screen.loadedFile(page).getByText('Sample session').waitFor()
      await page.getByText('No laps yet for this combination.').waitFor()
    },
    { expected: noLapsYet },
  ),
)
