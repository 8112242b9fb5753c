import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noSharedFiles, sharedIbt, sharedIbtMissing } from '@lapwing/testing/shared-ibt.ts'
import type { Page } from 'playwright-core'
import { chooseFile, dropFiles } from './give-file.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit, screen, shownLaps } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'

const { visit, visitTogether } = lapwing({ reach: 'page' })
const good = { name: 'good.ibt', bytes: anIbt({ lapTimesS: [20.2] }) }
const limitBytes = 100 * 1024 * 1024

test(
  'refuses a file of another kind in the specification’s words, and reads the next one',
  visit(async page => {
    await openFirstVisit(page)
    await dropFiles(page, { name: 'session.csv', bytes: new Uint8Array(8) })
    await screen.alert(page).getByText('Only .ibt files are supported.').waitFor()
    await dropFiles(page, good)
    assert.equal((await shownLaps(page)).length, 1)
  }),
)

test(
  'refuses a file one byte over 100 MB, and reads one of exactly 100 MB',
  visit(async page => {
    await openFirstVisit(page)
    // The page generates the file itself: 100 MB are too much to transfer.
    const dropOfSize = (sizeBytes: number) =>
      page.evaluate(size => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([new Uint8Array(size)], 'large.ibt'))
        document.body.dispatchEvent(
          new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }),
        )
      }, sizeBytes)
    await dropOfSize(limitBytes + 1)
    await screen.alert(page).getByText('File is larger than 100 MB.').waitFor()
    await dropOfSize(limitBytes)
    await screen
      .alert(page)
      .getByText('This is not an iRacing telemetry file, although its name ends in .ibt.')
      .waitFor()
  }),
)

test(
  'reports a refusal in a toast if a session is loaded, and keeps the session',
  visit(async page => {
    await openFirstVisit(page)
    await chooseFile(page, good)
    await shownLaps(page)
    await dropFiles(page, { name: 'notes.txt', bytes: new Uint8Array(8) })
    await screen.toast(page).getByText('Only .ibt files are supported.').waitFor()
    await screen.loadedFile(page).getByText('good.ibt').waitFor()
  }),
)

test(
  'dismisses a refusal',
  visit(async page => {
    await openFirstVisit(page)
    await dropFiles(page, { name: 'notes.txt', bytes: new Uint8Array(8) })
    await dismiss(page)
  }),
)

/** They share a window, because each of them dismisses what the page says. */
const visitRefusal = visitTogether(page => openFirstVisit(page))

async function dismiss(page: Page): Promise<void> {
  await screen.alert(page).getByRole('button', { name: 'Dismiss' }).click()
  await screen.alert(page).waitFor({ state: 'detached' })
}

for (const [what, bytes, sentence] of [
  [
    'an empty file',
    new Uint8Array(0),
    'This file is empty. iRacing may have stopped before it wrote anything.',
  ],
  [
    'a text file',
    Buffer.from('Lap,Time\n1,20.2\n'.repeat(200)),
    'This is not an iRacing telemetry file, although its name ends in .ibt.',
  ],
  [
    'a file that ends within its header',
    good.bytes.subarray(0, 300),
    'This file ends before its first sample. It was probably cut while it was copied.',
  ],
] as const) {
  test(
    `explains ${what} named .ibt in its own sentence`,
    visitRefusal(async page => {
      await dropFiles(page, { name: 'broken.ibt', bytes })
      await screen.alert(page).getByText(sentence).waitFor()
      await dismiss(page)
    }),
  )
}

for (const name of [
  'empty.ibt',
  'not-telemetry.ibt',
  'twelve-byte-records.ibt',
  'memory-dump.ibt',
  'cut-in-variable-headers.ibt',
]) {
  test(
    `refuses broken/${name} with a sentence that explains it`,
    { skip: sharedIbtMissing && `skipped: ${noSharedFiles}` },
    visitRefusal(async page => {
      await dropFiles(page, sharedIbt(`broken/${name}`))
      const said = (await screen.alert(page).textContent()) ?? ''
      assert.match(said, /^[A-Z][^/\\{}<>]+\.$/)
      assert.notEqual(said, 'Preview failed')
      await dismiss(page)
    }),
  )
}

test(
  'stops reading a file on Cancel and on Escape',
  visit(async page => {
    // The test holds the reader's code back, so that reading lasts as long as needed.
    const held = Promise.withResolvers<void>()
    await page.route(/parse\.worker/, async route => {
      await held.promise
      await route.continue().catch(() => {})
    })
    await openFirstVisit(page)
    const overlay = page.getByRole('dialog', { name: 'Reading good.ibt' })
    for (const end of [
      () => overlay.getByRole('button', { name: 'Cancel' }).click(),
      () => page.keyboard.press('Escape'),
    ]) {
      await dropFiles(page, good)
      await overlay
        .getByText(
          'Please keep this tab open and do not refresh while parsing. Larger files may take longer to process.',
        )
        .waitFor()
      await end()
      await overlay.waitFor({ state: 'detached' })
      assert.equal(await screen.chooseFile(page).isEnabled(), true)
    }
    held.resolve()
    await dropFiles(page, good)
    assert.deepEqual(await shownLaps(page), ['Lap 1 0:20.200'])
  }),
)
