/**
 * Decodes text in the two encodings iRacing writes: UTF-8 if all bytes are valid UTF-8, else Windows-1252.
 * The five bytes that Windows-1252 leaves undefined become the control characters of the same number, as in
 * the WHATWG Encoding Standard. So every input decodes.
 *
 * Written by hand because `TextDecoder` is neither in ECMAScript nor in this library's types.
 */
export function decodeText(bytes: Uint8Array): string {
  return decodeByteString(byteString(bytes))
}

/** Decodes bytes that are a string already: see `byteString`. */
export function decodeByteString(text: string): string {
  if (!NOT_ASCII.test(text)) return text
  const bytes = Uint8Array.from(text, char => char.charCodeAt(0))
  return decodeUtf8(bytes) ?? decodeCp1252(bytes)
}

/** Returns each byte as the character of its number, so that bytes can be searched as a string. */
export function byteString(bytes: Uint8Array): string {
  return inPieces(String.fromCharCode, bytes)
}

const NOT_ASCII = /[\u0080-\u00ff]/

// Windows-1252 from 0x80 to 0x9f; the rest equals ISO 8859-1.
const CP1252_HIGH = [
  0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d,
  0x017d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a,
  0x0153, 0x9d, 0x017e, 0x0178,
]

function decodeCp1252(bytes: Uint8Array): string {
  return fromCodePoints(Uint16Array.from(bytes, byte => CP1252_HIGH[byte - 0x80] ?? byte))
}

/** Returns null if the bytes are not UTF-8 (RFC 3629: no overlong forms, no surrogates, up to U+10FFFF). */
function decodeUtf8(bytes: Uint8Array): string | null {
  const codePoints = new Uint32Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at++]!
    if (lead < 0x80) {
      codePoints[length++] = lead
      continue
    }
    if (lead < 0xc2 || lead > 0xf4) return null
    const more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3
    let codePoint = lead & (0x3f >> more)
    for (let i = 0; i < more; i++) {
      const next = bytes[at++]
      if (next === undefined || (next & 0xc0) !== 0x80) return null
      codePoint = (codePoint << 6) | (next & 0x3f)
    }
    const overlong = codePoint < (more === 2 ? 0x800 : more === 3 ? 0x10000 : 0x80)
    const surrogate = codePoint >= 0xd800 && codePoint < 0xe000
    if (overlong || surrogate || codePoint > 0x10ffff) return null
    codePoints[length++] = codePoint
  }
  return fromCodePoints(codePoints.subarray(0, length))
}

function fromCodePoints(codePoints: Uint16Array | Uint32Array): string {
  return inPieces(String.fromCodePoint, codePoints)
}

/** Converts in pieces, because the number of arguments of one call is limited. */
function inPieces(
  textOf: (...codes: number[]) => string,
  codes: Uint8Array | Uint16Array | Uint32Array,
): string {
  let text = ''
  for (let at = 0; at < codes.length; at += 4096) {
    text += textOf.apply(null, codes.subarray(at, at + 4096) as unknown as number[])
  }
  return text
}
