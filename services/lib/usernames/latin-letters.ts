/** First characters of alphabets of symbols in the order of A to Z, which NFKC does not decompose. */
const SYMBOL_ALPHABETS = [
  // White letters in black circles, and in black squares; letters of flags.
  0x1f150, 0x1f170, 0x1f1e6,
]

/** Small letters of other alphabets and small capitals that look like a Latin letter. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'аαᴀ',
  b: 'вβʙ',
  c: 'сᴄ',
  d: 'ԁᴅ',
  e: 'еєεᴇ',
  f: 'ғꜰ',
  g: 'ɢɡ',
  h: 'һнʜ',
  i: 'іιɪ',
  j: 'јᴊ',
  k: 'кκᴋ',
  l: 'ӏʟ',
  m: 'мᴍ',
  n: 'ηɴ',
  o: 'оοᴏ',
  p: 'рρᴘ',
  q: 'ԛ',
  r: 'гʀ',
  s: 'ѕꜱ',
  t: 'тτᴛ',
  u: 'υցᴜ',
  v: 'νᴠ',
  w: 'ԝωᴡ',
  x: 'хχ',
  y: 'уγʏ',
  z: 'ᴢ',
}

const byCharacter = new Map<string, string>([
  ...SYMBOL_ALPHABETS.flatMap(first =>
    Object.keys(LOOK_ALIKES).map((letter, i) => [String.fromCodePoint(first + i), letter] as const),
  ),
  ...Object.entries(LOOK_ALIKES).flatMap(([letter, others]) =>
    [...others].flatMap(other => [
      [other, letter] as const,
      [other.toUpperCase(), letter.toUpperCase()] as const,
    ]),
  ),
])

/** Replaces letters of other alphabets, and symbols of letters, by the Latin letters that they look like. */
export function latinLetters(text: string): string {
  return text.replace(/[^\p{ASCII}]/gu, character => byCharacter.get(character) ?? character)
}
