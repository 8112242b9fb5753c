import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildCases } from '@lapwing/testing/build-cases.ts'
import { noSharedFiles, sharedIbt, sharedIbtMissing } from '@lapwing/testing/shared-ibt.ts'
import { chooseFile, dragFiles, dropFiles } from './give-file.ts'
import { lapwing } from './harness.ts'
import { closeFile, openFirstVisit, screen, shownLaps } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'

const { visitTogether } = lapwing({ reach: 'page' })
const visit = visitTogether(page => openFirstVisit(page), { leave: closeFile })
const file = { name: 'ring.ibt', bytes: anIbt({ lapTimesS: [21.4, 20.2, 20.9] }) }
const noCompleteLap = 'No complete valid lap found. Please try uploading another file with valid laps.'

test(
  'shows the laps of a dropped file with the simulator’s own times, the fastest first',
  visit(async page => {
    await dropFiles(page, file)
    assert.deepEqual(await shownLaps(page), ['Lap 2 0:20.200', 'Lap 3 0:20.900', 'Lap 1 0:21.400'])
    await screen.loadedFile(page).getByText('ring.ibt').waitFor()
    await page.getByRole('heading', { name: /^Lapwing Ring.* — Lapwing GT$/ }).waitFor()
    await page.getByText('71 °F · Partly Cloudy').waitFor()
  }),
)

test(
  'reads a chosen file like a dropped one, and accepts the same one again',
  visit(async page => {
    for (let time = 0; time < 2; time++) {
      await chooseFile(page, file)
      assert.equal((await shownLaps(page)).length, 3)
      await page.getByRole('button', { name: 'Close file' }).click()
      await screen.chooseFile(page).waitFor()
    }
  }),
)

test(
  'replaces a loaded session by a dropped file',
  visit(async page => {
    await dropFiles(page, file)
    await shownLaps(page)
    const transfer = await dragFiles(page, { name: 'other.ibt', bytes: anIbt({ lapTimesS: [22.2] }) })
    await page.getByText('Let go to read this file instead').waitFor()
    await page.dispatchEvent('body', 'drop', { dataTransfer: transfer })
    await screen.loadedFile(page).getByText('other.ibt').waitFor()
    assert.deepEqual(await shownLaps(page), ['Lap 1 0:22.200'])
    assert.equal(await page.getByText('Let go to read this file instead').isVisible(), false)
  }),
)

test(
  'reads the first telemetry file of several dropped files',
  visit(async page => {
    await dropFiles(page, { name: 'notes.txt', bytes: new Uint8Array(3) }, file)
    await screen.loadedFile(page).getByText('ring.ibt').waitFor()
  }),
)

test(
  'reports a file without a complete lap in a toast, and keeps the previous session',
  visit(async page => {
    const partial = { name: 'partial.ibt', bytes: anIbt({ lapTimesS: [] }) }
    await dropFiles(page, partial)
    await screen.toast(page).getByText(noCompleteLap).waitFor()
    assert.equal(await screen.chooseFile(page).isVisible(), true)

    await dropFiles(page, file)
    await shownLaps(page)
    await dropFiles(page, partial)
    await screen.toast(page).getByText(noCompleteLap).first().waitFor()
    await screen.loadedFile(page).getByText('ring.ibt').waitFor()
  }),
)

test(
  'reads a truncated file as far as possible, and says so',
  visit(async page => {
    const whole = anIbt({ lapTimesS: [21.4, 20.2, 20.9] })
    await dropFiles(page, { name: 'cut.ibt', bytes: whole.subarray(0, Math.round(whole.length * 0.8)) })
    await screen.loadedFile(page).getByText('The file is cut short; what is there was read.').waitFor()
    assert.deepEqual(await shownLaps(page), ['Lap 2 0:20.200', 'Lap 1 0:21.400'])
  }),
)

/** The right answers of the recorded files, the fastest lap first. */
const recorded: Record<string, readonly string[]> = {
  'real/langley-2-laps.ibt': ['Lap 175 0:15.099', 'Lap 174 0:15.187'],
  'real/langley-1-lap.ibt': ['Lap 177 0:15.071'],
  'real/langley-practice-out-lap.ibt': ['Lap 6 0:15.240'],
  'real/martinsville-practice-2-laps.ibt': ['Lap 32 0:19.301', 'Lap 33 0:19.546'],
  'laps/summit-jefferson-4-laps.ibt': [
    'Lap 5 0:51.088',
    'Lap 4 0:51.290',
    'Lap 3 0:51.403',
    'Lap 2 0:51.438',
  ],
  'laps/summit-jefferson-second-driver.ibt': ['Lap 4 0:51.148', 'Lap 3 0:51.198', 'Lap 2 0:51.255'],
  'laps/lime-rock-2-laps.ibt': ['Lap 3 0:55.697', 'Lap 2 0:57.444'],
  'laps/winton-3-laps.ibt': ['Lap 4 1:24.296', 'Lap 3 1:26.417', 'Lap 2 1:26.439'],
  'laps/rudskogen-1-lap.ibt': ['Lap 2 1:30.290'],
  'real/sebring-lmdh-reset.ibt': [],
  'real/spielberg-gt4-no-complete-lap.ibt': [],
  'real/spielberg-w13-6-seconds.ibt': [],
}

for (const [name, laps] of Object.entries(recorded)) {
  test(
    `finds in ${name} ${laps.length === 0 ? 'no complete lap' : laps.join(', ')}`,
    { skip: sharedIbtMissing && `skipped: ${noSharedFiles}` },
    visit(async page => {
      await dropFiles(page, sharedIbt(name))
      if (laps.length > 0) return assert.deepEqual(await shownLaps(page), laps)
      await screen.toast(page).filter({ hasText: noCompleteLap }).waitFor()
      assert.equal(await screen.chooseFile(page).isVisible(), true)
    }),
  )
}

/** What the page shows for a file: its complete laps, the fastest first, or only words in a toast. */
interface RightAnswer {
  readonly laps: readonly string[]
  /** Number of laps with the mark of a clean one. */
  readonly clean: number
  /** Text about all laps, or about the one lap that is selected for it. */
  readonly words?: string
  readonly select?: string
}

const summitLaps = ['Lap 5 0:51.088', 'Lap 4 0:51.290', 'Lap 3 0:51.403', 'Lap 2 0:51.438']
const implausible = 'Found in this file: joined halfway, implausible × 2, unfinished.'

/** The right answers of the shared inputs that public reports about other tools led to. */
const rightAnswers: Readonly<Record<string, RightAnswer>> = {
  'no-answer-for-best': {
    laps: summitLaps.slice(1),
    clean: 3,
    words: '3 partial laps hidden: joined halfway, not scored, unfinished',
  },
  'answers-all-zero': {
    laps: [],
    clean: 0,
    words: 'Found in this file: joined halfway, not scored × 4, unfinished.',
  },
  'finish-before-start': {
    laps: ['Lap 5 0:50.351', 'Lap 4 0:50.556', 'Lap 3 0:50.658', 'Lap 2 0:50.683'],
    clean: 4,
  },
  'position-zero-everywhere': {
    laps: summitLaps,
    clean: 0,
    words: 'This file lacks incidents, track limits or positions, so no lap can be called clean.',
  },
  'position-zero-in-one-row': { laps: summitLaps, clean: 4 },
  'practice-and-heat': {
    laps: [
      'Lap 3Heat 1 0:51.088',
      'Lap 2Heat 1 0:51.290',
      'Lap 3Practice 0:51.403',
      'Lap 2Practice 0:51.438',
    ],
    clean: 4,
  },
  'joker-lap-120-m-longer': {
    laps: ['Lap 5 0:51.088', 'Lap 3 0:51.403', 'Lap 2 0:51.438', 'Lap 4 0:54.607'],
    clean: 3,
    select: 'Lap 4',
    words: 'Lap 4. Joker lap: took the longer way.',
  },
  'two-percent-too-fast': { laps: [], clean: 0, words: implausible },
  'twice-the-speed-of-the-car': { laps: [], clean: 0, words: implausible },
}

test(
  'shows the right laps and reasons of every input that public reports led to',
  { skip: sharedIbtMissing && `skipped: ${noSharedFiles}` },
  visit(async page => {
    const cases = buildCases()
    assert.deepEqual(Object.keys(cases).sort(), Object.keys(rightAnswers).sort())
    for (const [name, { laps, clean, words, select }] of Object.entries(rightAnswers)) {
      await dropFiles(page, { name: `${name}.ibt`, bytes: cases[name]! })
      if (laps.length === 0) {
        const toast = screen.toast(page).filter({ hasText: noCompleteLap })
        await toast.getByText(words!, { exact: true }).waitFor()
        // The next file can have the same words.
        await toast.getByRole('button', { name: 'Close toast' }).click()
        await toast.waitFor({ state: 'detached' })
        continue
      }
      await screen.loadedFile(page).getByText(name).waitFor()
      assert.deepEqual(await shownLaps(page), laps, name)
      const marks = screen.laps(page).getByRole('img', { name: 'Clean', exact: true })
      assert.equal(await marks.count(), clean, name)
      if (select !== undefined) await screen.laps(page).filter({ hasText: select }).click()
      if (words !== undefined) await page.getByText(words).waitFor()
    }
  }),
)
