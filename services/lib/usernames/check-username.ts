import {
  DataSet,
  englishDataset,
  englishRecommendedTransformers,
  parseRawPattern,
  RegExpMatcher,
} from 'obscenity'
import { latinLetters } from './latin-letters.ts'
import { isReserved } from './reserved-names.ts'

export const USERNAME_MAX_LENGTH = 20
const USERNAME_MIN_LENGTH = 3

/**
 * Checks a name by itself, not whether it is free. The page and the server use the same rules; the server
 * decides.
 *
 * @returns the trimmed name, or the sentence of the first rule that it breaks
 */
export function checkUsername(text: string): { readonly username: string } | { readonly problem: string } {
  const username = text.trim()
  const broken = rules.find(({ holds }) => !holds(username))
  return broken === undefined ? { username } : { problem: broken.sentence }
}

/** Sentence for a name that another driver has, or that Lapwing reserves. */
export const TAKEN_SENTENCE = 'Username is already taken'

/** In this order: each rule may rely on those before it. */
const rules: readonly { readonly sentence: string; readonly holds: (username: string) => boolean }[] = [
  { sentence: 'Username is required', holds: name => name !== '' },
  {
    sentence: `Username must be at least ${USERNAME_MIN_LENGTH} characters long`,
    holds: name => name.length >= USERNAME_MIN_LENGTH,
  },
  {
    sentence: `Username must be at most ${USERNAME_MAX_LENGTH} characters long`,
    holds: name => name.length <= USERNAME_MAX_LENGTH,
  },
  { sentence: 'Username must start with a letter', holds: name => /^[a-z]/i.test(name) },
  {
    sentence: 'Username can only contain letters, numbers, underscores, and hyphens',
    holds: name => /^[a-z0-9_-]+$/i.test(name),
  },
  { sentence: 'Username contains inappropriate content', holds: name => !isInappropriate(name) },
  { sentence: TAKEN_SENTENCE, holds: name => !isReserved(name) },
]

/** Returns the key of a name: names that differ only in case are one name (D-15). */
export function usernameKey(username: string): string {
  return username.toLowerCase()
}

/** Returns true for a name that was assigned, not chosen: the word user and seven letters or digits. */
export function isDefaultUsername(username: string): boolean {
  return /^user[a-z0-9]{7}$/i.test(username)
}

/**
 * The library's own list has profanity and slurs; these terms of hate and violence are added (seed, section
 * 5).
 */
const hateAndViolence = [
  ...['nazi', 'hitler', '|heil|', 'gestapo', 'holocaust', 'genocide', '|kkk|', 'klansman', 'whitepower'],
  ...[
    'murder',
    'killyou',
    'killall',
    '|kys|',
    'terrorist',
    'massacre',
    'lynch',
    'behead',
    'schoolshoot',
    'suicide',
    'siegheil',
    'pedophil',
    'paedophil',
  ],
]

/** Spellings of listed words that the library does not know. */
const respellings = ['|shyt', 'biatch', 'beotch', '|fuq|', '|kunt|', 'cvnt', 'pr0n']

/** Names, towns and words of motorsport that contain a listed word. "Nazionale" is part of Monza's name. */
const HARMLESS = [
  'nazional',
  'ignazi',
  'nazir',
  'wankel',
  'cockpit',
  'fukuoka',
  'fukushima',
  'cummins',
  'fagundes',
  'focke',
  'dickie',
  'dickerson',
  'faggioli',
  'semenov',
  'dickson',
  'dickens',
  'dickinson',
  'hancock',
  'babcock',
  'woodcock',
  'cockburn',
  'lynchburg',
  'penistone',
  'clitheroe',
]

const dataset = new DataSet<{ originalWord: string }>().addAll(englishDataset)
for (const term of [...hateAndViolence, ...respellings]) {
  dataset.addPhrase(phrase => phrase.setMetadata({ originalWord: term }).addPattern(parseRawPattern(term)))
}
const harmless = new Set(HARMLESS.flatMap(term => [term, withIForL(term)]))
dataset.addPhrase(phrase => [...harmless].reduce((whole, term) => whole.addWhitelistedTerm(term), phrase))

const matcher = new RegExpMatcher({ ...dataset.build(), ...englishRecommendedTransformers })

function isInappropriate(name: string): boolean {
  // Also checks the name with spaces as separators, because people hide words that way.
  const spaced = name.replace(/[_-]+/g, ' ').trim()
  return hasMatch(name) || hasMatch(spaced) || hasSplitMatch(spaced, isLargePart)
}

/** Words that a name of a track or a car never has. More would take long to check. */
const MOST_WORDS = 24

/** Also finds "ph" for "f", "q" for "g", and letters that look alike: "I" for "l", and "l" for "i". */
function hasMatch(text: string): boolean {
  const plain = respell(text).replace(/q(?!u)/gi, 'g')
  const forms = [text, respell(text), plain.replace(/(?<=[a-z])I(?=[a-z])/g, 'l'), withIForL(plain)]
  // Usually most of them are the same text.
  return [...new Set(forms)].some(form => matcher.hasMatch(form))
}

/** Replaces "l" by "i". "Shilton" and "titles" are harmless. */
function withIForL(text: string): string {
  return text.replace(/(?<![il]|tit)l(?![il])/gi, 'i')
}

/** Replaces "ph" by "f". Phuket is a town, Phu a name, and phages are viruses. */
const respell = (text: string) => text.replace(/ph(?!u\b|uket|ag[ae])/gi, 'f')

/**
 * Returns true if a banned word is split over single letters, or over two to four words.
 *
 * @param isPart whether `covered` letters of a word of `length` letters can be a part of the banned word
 */
function hasSplitMatch(spaced: string, isPart: (covered: number, length: number) => boolean): boolean {
  // Single letters, as in "f u c k", are one word.
  const joined = spaced.replace(/(?<=(^|\s)\S)\s+(?=\S(\s|$))/g, '')
  if (hasMatch(joined)) return true
  const words = respell(joined).split(/\s+/)
  return words.some((_, first) =>
    [2, 3, 4].some(count => isSplitOver(words.slice(first, first + count), isPart)),
  )
}

function isSplitOver(
  words: readonly string[],
  isPart: (covered: number, length: number) => boolean,
): boolean {
  const spans = words.map((word, index) => {
    const start = words.slice(0, index).join('').length
    return { start, end: start + word.length }
  })
  return matcher.getAllMatches(words.join('')).some(({ startIndex, endIndex }) =>
    spans.every(({ start, end }) => {
      const covered = Math.min(end, endIndex + 1) - Math.max(start, startIndex)
      return covered <= 0 || isPart(covered, end - start)
    }),
  )
}

/** "fu_cker" hides a word; "Shi_Tanaka" is a name. */
const isLargePart = (covered: number, length: number) => covered >= Math.min(2, length)
const isWhole = (covered: number, length: number) => covered === length

/**
 * Returns true if a text of several words, such as the name of a track or a car, contains a banned word.
 * Spaces separate words: several words form a banned word only if they are its whole letters, as in "f u c k"
 * and "sh it". Also returns true for more than `MOST_WORDS` words.
 */
export function hasBannedWords(text: string): boolean {
  const plain = latinLetters(text.normalize('NFKC'))
    .replace(/[\p{Cf}\p{M}]/gu, '')
    .replace(harmlessNames, ' ')
  const spaced = plain.replace(/[\p{P}\p{S}]+/gu, ' ')
  const words = plain.split(/\s+/).map(word => word.replace(/[^\p{L}\p{N}]/gu, ''))
  if (spaced.trim().split(/\s+/).length > MOST_WORDS) return true
  // Usually they are all the same text.
  const forms = new Set([plain, spaced, words.join(' ')].map(form => form.trim()))
  return [...forms].some(hasMatch) || hasSplitMatch(spaced.trim(), isWhole)
}

/** People after whom tracks and cars are named. */
const harmlessNames = /\bdick (johnson|trickle|seaman|mann|rathmann|simon|barbour)\b/gi
