import { testInBothThemes } from './axe-in-both-themes.ts'
import { lapwing } from './harness.ts'
import { library, openLibrary, replacePicker } from './library.ts'
import { openFirstVisit } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'
import { simulatedFile } from './testing/simulated-file.ts'

const first = { name: 'first.ibt', bytes: anIbt({ lapTimesS: [20.4, 20.1] }) }
const second = {
  name: 'second.ibt',
  bytes: anIbt({ lapTimesS: [20.3], startDate: new Date('2026-11-23T18:00:00Z') }),
}

const park = { name: 'park.ibt', bytes: simulatedFile() }

testInBothThemes(
  {
    'the library before its first folder': async page => {
      await replacePicker(page)
      await openFirstVisit(page)
      await library.entrance(page).click()
      await library.chooseFolder(page).waitFor()
    },
    'the list of sessions, with the laps of one': async page => {
      await openLibrary(page, first, second)
      await library
        .dialog(page)
        .getByRole('button', { name: /^Laps of/ })
        .first()
        .click()
      await library.dialog(page).getByRole('list', { name: 'Laps' }).waitFor()
    },
    'the progress': async page => {
      await openLibrary(page, first, park)
      await library.dialog(page).getByRole('radio', { name: 'Progress' }).click()
      await library.dialog(page).getByRole('table').waitFor()
    },
  },
  lapwing({ reach: 'page' }),
)
