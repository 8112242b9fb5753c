import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasFileChanged, isFileChange, rememberChosen } from './file-changes.ts'

const aFile = (text = 'laps', lastModified = 1000) => new File([text], 'session.ibt', { lastModified })

/** Returns a file that a browser cannot read from the given byte on. */
function unreadableFrom(offset: number, name = 'NotReadableError'): File {
  const file = aFile()
  return Object.defineProperty(file, 'slice', {
    value: (start: number, end: number) =>
      start < offset
        ? new Blob(['laps']).slice(start, end)
        : { arrayBuffer: () => Promise.reject(new DOMException('The file could not be read.', name)) },
  })
}

test('sees no change in a chosen file, also if it is empty or was not remembered', async () => {
  for (const file of [aFile(), aFile('')]) {
    assert.equal(await hasFileChanged(file), false)
    rememberChosen([file])
    assert.equal(await hasFileChanged(file), false)
  }
})

test('sees a change by another size or time, in browsers that still read the file', async () => {
  for (const [property, value] of [
    ['size', 5],
    ['lastModified', 1001],
  ] as const) {
    const file = aFile()
    rememberChosen([file])
    Object.defineProperty(file, property, { value })
    assert.equal(await hasFileChanged(file), true, property)
  }
})

test('sees a change if the browser cannot read the start or the end of the file', async () => {
  assert.equal(await hasFileChanged(unreadableFrom(0)), true)
  assert.equal(await hasFileChanged(unreadableFrom(3)), true)
  assert.equal(await hasFileChanged(unreadableFrom(0, 'NotFoundError')), true)
})

test('sees a change if the file ends before its size', async () => {
  const file = Object.defineProperty(aFile(), 'slice', { value: () => new Blob([]) })
  assert.equal(await hasFileChanged(file), true)
})

test('sees no change in a failure with another cause', async () => {
  assert.equal(await hasFileChanged(unreadableFrom(0, 'SecurityError')), false)
  for (const error of [new TypeError('Failed to fetch'), null, undefined, 'NotReadableError']) {
    assert.equal(isFileChange(error), false)
  }
})
