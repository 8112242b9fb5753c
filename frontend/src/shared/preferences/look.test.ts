import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { darkMode } from './dark-mode.ts'
import { followLook } from './look.ts'
import { palette } from './palette.ts'

const script = readFileSync(join(import.meta.dirname, '../../../public/look.js'), 'utf8')

/** Returns the attributes that the script before the first paint sets for a storage. */
function firstPaint(getItem: (key: string) => string | null): Record<string, string> {
  const dataset: Record<string, string> = {}
  const scheme = { content: 'dark' }
  const document = { documentElement: { dataset }, querySelector: () => scheme }
  runInNewContext(script, { localStorage: { getItem }, document })
  assert.equal(scheme.content, dataset.theme)
  return dataset
}

test('is dark by default, and for every stored value but "0"', () => {
  for (const stored of [null, '1', '', 'false', '00']) {
    assert.equal(firstPaint(key => (key === darkMode.key ? stored : null)).theme, 'dark', `stored ${stored}`)
  }
  assert.equal(firstPaint(key => (key === darkMode.key ? '0' : null)).theme, 'light')
})

test('shows the dark standard look if storage is blocked', () => {
  const look = firstPaint(() => {
    throw new Error('blocked')
  })
  assert.deepEqual(look, { theme: 'dark', palette: 'standard' })
})

test('agrees on stored values between the first paint and the running page', () => {
  const content = new Map<string, string>()
  const storage = { getItem: (key: string) => content.get(key) ?? null, setItem: content.set.bind(content) }
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true })
  const root = { dataset: {} as Record<string, string> }
  followLook(root as unknown as HTMLElement)
  for (const dark of [false, true]) {
    for (const colours of ['colour-blind', 'standard'] as const) {
      darkMode.set(dark)
      palette.set(colours)
      assert.deepEqual(root.dataset, { theme: dark ? 'dark' : 'light', palette: colours })
      assert.deepEqual(firstPaint(storage.getItem), root.dataset)
    }
  }
})
