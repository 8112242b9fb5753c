import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgetVisitor } from './accounts.ts'
import { dropFiles } from './give-file.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit, screen, shownLaps } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'

/** They share a window, because each opens the page itself. */
const { visitTogether } = lapwing({ reach: 'page' })
const visit = visitTogether(async () => {}, { leave: forgetVisitor })
const file = { name: 'ring.ibt', bytes: anIbt({ lapTimesS: [20.2] }) }
const workerCode = /parse\.worker/
const termsCode = /\/Terms[^/]*\.js/
const sessionCode = /\/SessionView[^/]*\.js/

test(
  'reports a dead reader, and reads the next file with a new one',
  visit(
    async page => {
      await page.route(workerCode, route =>
        route.fulfill({
          contentType: 'text/javascript',
          body: 'postMessage({ kind: "ready" }); onmessage = () => { throw new Error("out of memory") }',
        }),
      )
      await openFirstVisit(page)
      await dropFiles(page, file)
      await screen
        .alert(page)
        .getByText('The reader stopped before it was done. Please try the file again.')
        .waitFor()
      await page.unroute(workerCode)
      await dropFiles(page, file)
      assert.deepEqual(await shownLaps(page), ['Lap 1 0:20.200'])
    },
    { expected: [/out of memory/] },
  ),
)

test(
  'shows the specification’s sentence if neither browser nor server can read',
  visit(
    async page => {
      await page.route(workerCode, route => route.abort())
      await page.route('**/api/v1/preview', route => route.abort())
      await openFirstVisit(page)
      await dropFiles(page, file)
      await screen.alert(page).getByText('Preview failed').waitFor()
    },
    { expected: [/parse\.worker/, /ERR_FAILED/] },
  ),
)

test(
  'says that its code is gone after an update, and a reload helps',
  visit(
    async page => {
      await page.route(termsCode, route => route.abort())
      await page.goto('/terms')
      await page.getByRole('heading', { name: 'Part of the page could not be loaded.' }).waitFor()
      await page.unroute(termsCode)
      await page.getByRole('button', { name: 'Reload' }).click()
      await page.getByRole('heading', { name: 'Terms of Service' }).waitFor()
    },
    { expected: [/Terms/, /ERR_FAILED/, /dynamically imported module/] },
  ),
)

test(
  'shows a page for an error in our code, with a way back',
  visit(
    async page => {
      await page.route(sessionCode, route =>
        route.fulfill({
          contentType: 'text/javascript',
          // The bundler calls the exports of that part `t`.
          body: 'export const t = { SessionView: 1 }',
        }),
      )
      await openFirstVisit(page)
      await screen.trySample(page).click()
      const alert = screen.alert(page)
      await alert.getByRole('heading', { name: 'Something on this page broke.' }).waitFor()
      await page.unroute(sessionCode)
      await alert.getByRole('button', { name: 'Start over' }).click()
      await screen.chooseFile(page).waitFor()
    },
    { expected: [/^console: /, /^uncaught: /] },
  ),
)
