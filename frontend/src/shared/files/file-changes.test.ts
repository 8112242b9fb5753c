import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasFileChanged, isFileChange, rememberChosen } from './file-changes.ts'

const aFile = (text = 'laps', lastModified = 1000) => new File([text], 'session.ibt', { lastModified })

/** A file that a browser refuses to read from the given byte on. */
function unreadableFrom(offset: number, name = 'NotReadableError'): File {
  const file = aFile()
  return Object.defineProperty(file, 'slice', {
    value: (start: number, end: number) =>
      start < offset
        ? new Blob(['laps']).slice(start, end)
        : { arrayBuffer: () => Promise.reject(new DOMException('The file could not be read.', name)) },
  })
}

test('a file as it was chosen has not changed, also an empty one and one that was not noted', async () => {
  for (const file of [aFile(), aFile('')]) {
    assert.equal(await hasFileChanged(file), false)
    rememberChosen([file])
    assert.equal(await hasFileChanged(file), false)
  }
})

test('another size or another time is a change, in browsers that read the file all the same', async () => {
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

test('a file that the browser refuses to read at its start or at its end has changed', async () => {
  assert.equal(await hasFileChanged(unreadableFrom(0)), true)
  assert.equal(await hasFileChanged(unreadableFrom(3)), true)
  assert.equal(await hasFileChanged(unreadableFrom(0, 'NotFoundError')), true)
})

test('a file that ends before its size has changed', async () => {
  const file = Object.defineProperty(aFile(), 'slice', { value: () => new Blob([]) })
  assert.equal(await hasFileChanged(file), true)
})

test('a failure that says nothing of the file is no change', async () => {
  assert.equal(await hasFileChanged(unreadableFrom(0, 'SecurityError')), false)
  for (const error of [new TypeError('Failed to fetch'), null, undefined, 'NotReadableError']) {
    assert.equal(isFileChange(error), false)
  }
})
