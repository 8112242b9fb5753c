import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createBackStack } from './back-stack.ts'

/** Returns a browser's history of one page; moves take effect later, as in a browser. */
function aHistory(states: unknown[] = [{ idx: 0, key: 'default' }]) {
  const entries = [...states]
  let at = entries.length - 1
  let pop = () => {}
  const moves: number[] = []
  return {
    entries,
    at: () => at,
    history: {
      get state() {
        return entries[at]
      },
      pushState(state: unknown) {
        entries.splice(at + 1, Infinity, state)
        at++
      },
      replaceState(state: unknown) {
        entries[at] = state
      },
      go(delta: number) {
        moves.push(delta)
      },
    },
    onPop(callback: () => void) {
      pop = callback
    },
    /** Moves as the driver's press on Back or Forward does. */
    move(delta: number) {
      if (entries[at + delta] === undefined) return false
      at += delta
      pop()
      return true
    },
    /** Waits until the moves that the page asked for take effect. */
    async arrive() {
      for (;;) {
        await Promise.resolve()
        const delta = moves.shift()
        if (delta === undefined) return
        at += delta
        pop()
      }
    },
  }
}

/** Returns a page with dialogs; `opened` has their names, the top one last. */
function aPage(browser = aHistory()) {
  const stack = createBackStack(browser)
  const opened: string[] = []
  const releases = new Map<string, () => void>()
  const remove = (name: string) => opened.splice(opened.indexOf(name), 1)
  return {
    browser,
    opened,
    open(name: string) {
      opened.push(name)
      const release = stack.add(() => {
        remove(name)
        release()
      })
      releases.set(name, release)
    },
    close(name: string) {
      remove(name)
      releases.get(name)!()
    },
  }
}

test('closes a dialog on Back, and the page stays', async () => {
  const { browser, opened, open } = aPage()
  open('auth')
  await browser.arrive()
  assert.deepEqual(browser.entries[1], { idx: 0, key: 'default', 'lapwing.layers': 1 })
  browser.move(-1)
  await browser.arrive()
  assert.deepEqual([opened, browser.at()], [[], 0])
})

test('removes the entry of a dialog that closes in another way', async () => {
  const { browser, open, close } = aPage()
  open('auth')
  await browser.arrive()
  close('auth')
  await browser.arrive()
  assert.equal(browser.at(), 0)
})

test('closes the top one of two dialogs on Back', async () => {
  const { browser, opened, open } = aPage()
  open('laps')
  open('delete')
  await browser.arrive()
  browser.move(-1)
  await browser.arrive()
  assert.deepEqual([opened, browser.at()], [['laps'], 1])
  browser.move(-1)
  await browser.arrive()
  assert.deepEqual([opened, browser.at()], [[], 0])
})

test('uses one entry for a dialog that follows another', async () => {
  const { browser, opened, open, close } = aPage()
  open('board')
  await browser.arrive()
  close('board')
  open('auth')
  await browser.arrive()
  assert.deepEqual([browser.at(), browser.entries.length], [1, 2])
  browser.move(-1)
  await browser.arrive()
  assert.deepEqual([opened, browser.at()], [[], 0])
})

test('stays on the page after Forward to a closed dialog', async () => {
  const { browser, opened, open } = aPage()
  open('auth')
  await browser.arrive()
  browser.move(-1)
  await browser.arrive()
  browser.move(1)
  await browser.arrive()
  assert.deepEqual([opened, browser.at()], [[], 0])
})

test('closes an open dialog on a reload, without a move in the history', async () => {
  const browser = aHistory([{ idx: 0 }, { idx: 0, 'lapwing.layers': 1 }])
  const { open, opened } = aPage(browser)
  await browser.arrive()
  assert.deepEqual([browser.at(), browser.entries[1]], [1, { idx: 0, 'lapwing.layers': 0 }])
  open('auth')
  await browser.arrive()
  browser.move(-1)
  await browser.arrive()
  assert.deepEqual([opened, browser.at()], [[], 1])
})

test('has the entry of the open layers after any sequence of open, close and Back', async () => {
  const step = fc.constantFrom('open', 'close', 'back', 'forward', 'arrive')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
      const { browser, opened, open, close } = aPage()
      for (const [index, what] of steps.entries()) {
        if (what === 'open') open(`${index}`)
        if (what === 'close' && opened.length > 0) close(opened.at(-1)!)
        // The driver is slower than the page.
        if (what === 'back' || what === 'forward') {
          await browser.arrive()
          browser.move(what === 'back' ? -1 : 1)
        }
        if (what === 'arrive') await browser.arrive()
      }
      await browser.arrive()
      assert.equal(browser.at(), opened.length)
    }),
  )
})
