/**
 * Returns a name as part of a URL: lower case letters a to z, digits, underscores and single hyphens, at most
 * 64 characters, never empty. `Autódromo José Carlos Pace` becomes `autodromo-jose-carlos-pace`.
 *
 * Letters of other scripts become their code points in base 36, so that two circuits with Japanese names have
 * different boards.
 */
export function slug(name: string | null, fallback = 'unknown'): string {
  const plain = (name ?? '')
    .slice(0, MAX_NAME)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, letter => SPELT_OUT[letter]!)
    // After NFKD accents are characters of their own. Removing apostrophes joins both parts.
    .replace(/[\p{M}'’]/gu, '')
    .replace(/[^a-z0-9_\p{L}\p{N}]+/gu, '-')
    .replace(/[^a-z0-9_-]/gu, letter => `u${letter.codePointAt(0)!.toString(36)}`)
    .replace(/^-+/, '')
    .slice(0, MAX_SLUG)
    .replace(/-+$/, '')
  return plain === '' ? fallback : plain
}

const MAX_SLUG = 64
const MAX_NAME = 256

/** Latin letters that NFKD does not decompose. */
const SPELT_OUT: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}
