import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findChromium, findHeadlessShell } from './find-chromium.ts'

test('uses CHROME_PATH, and no other browser if it is wrong', t => {
  const { folder, add } = machine(t)
  const chosen = add('mine/my-chrome')
  add('bin/chromium')
  const PATH = join(folder, 'bin')
  assert.equal(findChromium({ PATH, CHROME_PATH: chosen }), chosen)
  assert.equal(findChromium({ PATH, CHROME_PATH: join(folder, 'gone') }), null)
})

test('prefers Chromium to Chrome on PATH, wherever each is', t => {
  const { folder, add } = machine(t)
  add('first/google-chrome')
  const chromium = add('second/chromium')
  const PATH = ['', join(folder, 'first'), join(folder, 'second')].join(delimiter)
  assert.equal(findChromium({ PATH }), chromium)
})

test('ignores a file that is not executable', t => {
  const { folder, add } = machine(t)
  add('bin/chromium', 0o644)
  const chrome = add('bin/google-chrome')
  assert.equal(findChromium({ PATH: join(folder, 'bin') }), chrome)
})

test('finds the headless shell beside Chromium', t => {
  const { folder, add } = machine(t)
  add('bin/chromium')
  const PATH = join(folder, 'bin')
  assert.equal(findHeadlessShell({ PATH }), null)
  const shell = add('bin/chromium-headless-shell')
  assert.equal(findHeadlessShell({ PATH }), shell)
})

function machine(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-chromium-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    add(path: string, mode = 0o755): string {
      const file = join(folder, path)
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, '', { mode })
      return file
    },
  }
}
