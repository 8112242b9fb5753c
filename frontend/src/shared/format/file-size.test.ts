import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatFileSize } from './file-size.ts'

test('rounds sizes to what people compare', () => {
  const cases: [number, string][] = [
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1 kB'],
    [1024 * 1024 - 1, '1.0 MB'],
    [4.4 * 1024 * 1024, '4.4 MB'],
    [100 * 1024 * 1024, '100 MB'],
  ]
  for (const [bytes, text] of cases) assert.equal(formatFileSize(bytes), text)
})
