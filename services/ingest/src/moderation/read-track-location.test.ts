import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTrackLocation } from './read-track-location.ts'

test('reads degrees north, degrees east and metres', () => {
  assert.deepEqual(readTrackLocation(['-37.8497', '144.968', '5278']), {
    lat: -37.8497,
    lon: 144.968,
    lengthM: 5278,
  })
})

for (const words of [
  [],
  ['39.2', '-77.9'],
  ['39,2', '-77.9', '3168'],
  ['39.2', '-77.9', '3.168'],
  ['39.2', '-77.9', '3168000'],
  ['90.1', '-77.9', '3168'],
  ['39.2', '-180.1', '3168'],
  ['', '-77.9', '3168'],
  ['1e1', '-77.9', '3168'],
  ['NaN', '-77.9', '3168'],
  ['0x27', '-77.9', '3168'],
]) {
  test(`rejects "${words.join(' ')}"`, () => assert.equal(readTrackLocation(words), null))
}
