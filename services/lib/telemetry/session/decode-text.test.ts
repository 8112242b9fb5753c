import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeText } from './decode-text.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

// Node's decoders are the independent reference. The library cannot use them, because they are not
// everywhere.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const cp1252 = new TextDecoder('windows-1252')

function reference(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    return cp1252.decode(bytes)
  }
}

test('decodes any text written as UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), text => decodeText(utf8(text)) === text),
  )
})

test('decodes any bytes as UTF-8 if they are valid, else as Windows-1252', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), bytes => decodeText(bytes) === reference(bytes)),
    { numRuns: 5000 },
  )
})

test('decodes every single byte as the Encoding Standard defines, the five undefined ones too', () => {
  for (let byte = 0; byte < 256; byte++) {
    const bytes = Uint8Array.of(byte)
    assert.equal(decodeText(bytes), reference(bytes), `byte ${byte}`)
  }
  assert.equal(decodeText(Uint8Array.of(0x81, 0x8d, 0x8f, 0x90, 0x9d)).length, 5)
})

const notUtf8: [why: string, bytes: number[]][] = [
  ['an overlong slash', [0xc0, 0xaf]],
  ['an overlong three-byte form', [0xe0, 0x9f, 0xbf]],
  ['an overlong four-byte form', [0xf0, 0x8f, 0xbf, 0xbf]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
  ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ['a lone continuation', [0x80]],
  ['a sequence cut short', [0x41, 0xe2, 0x82]],
  ['a name that ends in é', [0x41, 0x6e, 0x64, 0x72, 0xe9]],
]
for (const [why, bytes] of notUtf8) {
  test(`decodes as Windows-1252: ${why}`, () => {
    assert.equal(decodeText(Uint8Array.from(bytes)), cp1252.decode(Uint8Array.from(bytes)))
  })
}

test('decodes a text longer than one piece', () => {
  const text = 'Nürburgring €'.repeat(2000)
  assert.equal(decodeText(utf8(text)), text)
})
