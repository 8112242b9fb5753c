import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSampleSession } from '@lapwing/simulator/sample'
import { compare, openSampleAsDriver, sampleLaps, toast, turnOn } from './compare.ts'
import { lapwing } from './harness.ts'
import { library, openLibrary } from './library.ts'
import { anIbt } from './testing/an-ibt.ts'

const { visit } = lapwing({ reach: 'accounts', ownAddresses: true })

const [fastest, second] = sampleLaps
/** The track and car of the sample session, and others. */
const same = { name: 'same.ibt', bytes: makeSampleSession() }
const other = { name: 'other.ibt', bytes: anIbt({ lapTimesS: [20.4] }) }

test(
  'compares with any lap of the library on the same track and car, and with the best one after one press',
  visit(async page => {
    await openLibrary(page, same, other)
    const boards = await openSampleAsDriver(page)
    await turnOn(page)
    await compare.card(page).getByRole('button', { name: 'My best in the library' }).click()
    const named = (lap: number) =>
      compare
        .gauges(page)
        .getByText(new RegExp(`^Your Lap ${lap} · `))
        .waitFor()
    await named(fastest!.lap)
    await compare.card(page).getByRole('button', { name: 'Clear' }).click()
    await toast(page, 'Reference lap cleared')

    const lapsOf = async (path: string) => {
      await library.dialog(page).getByTitle(path).focus()
      await page.keyboard.press('ArrowRight')
      return library.dialog(page).getByRole('list', { name: 'Laps' })
    }
    await library.again(page).click()
    const others = await lapsOf('other.ibt')
    await others.getByText('0:20.400').waitFor()
    assert.equal(await others.getByRole('button').count(), 0)
    await page.keyboard.press('ArrowLeft')
    const laps = await lapsOf('same.ibt')
    const row = laps.getByRole('listitem').filter({ hasText: `Lap ${second!.lap}` })
    await row.getByRole('button', { name: 'Use as Reference' }).click()
    await library.dialog(page).waitFor({ state: 'detached' })
    await named(second!.lap)
    assert.equal(boards.count(/\/reference$/), 0)
  }),
)
