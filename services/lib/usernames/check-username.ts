import {
  DataSet,
  englishDataset,
  englishRecommendedTransformers,
  parseRawPattern,
  RegExpMatcher,
} from 'obscenity'
import { isReserved } from './reserved-names.ts'

export const USERNAME_MAX_LENGTH = 20
const USERNAME_MIN_LENGTH = 3

/**
 * Judges a name by itself; whether it is free is another question. The page and the server use the
 * same rules, and the server decides.
 *
 * @returns the trimmed name, or the sentence that says what is wrong with it: the first rule it breaks
 */
export function checkUsername(text: string): { readonly username: string } | { readonly problem: string } {
  const username = text.trim()
  const broken = rules.find(({ holds }) => !holds(username))
  return broken === undefined ? { username } : { problem: broken.sentence }
}

/** What is said of a name that another driver has, or that Lapwing keeps for itself. */
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

/** Names are one and the same when only their case differs (D-15). */
export function usernameKey(username: string): string {
  return username.toLowerCase()
}

/** The pattern of names that are given, not chosen: the word user and seven letters or digits. */
export function isDefaultUsername(username: string): boolean {
  return /^user[a-z0-9]{7}$/i.test(username)
}

/** The library's own list has profanity and slurs; terms of hate and violence are added (seed, section 5). */
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
  ],
]

/** Surnames and places that hold a listed word. */
const HARMLESS = [
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
for (const term of hateAndViolence) {
  dataset.addPhrase(phrase => phrase.setMetadata({ originalWord: term }).addPattern(parseRawPattern(term)))
}
dataset.addPhrase(phrase => HARMLESS.reduce((whole, term) => whole.addWhitelistedTerm(term), phrase))

const matcher = new RegExpMatcher({ ...dataset.build(), ...englishRecommendedTransformers })

function isInappropriate(name: string): boolean {
  // Also without what people put between letters to hide a word, and with what they put in their place.
  return (
    matcher.hasMatch(name) ||
    matcher.hasMatch(name.replace(/[_-]/g, '')) ||
    matcher.hasMatch(name.replace(/[_-]/g, ' '))
  )
}

/**
 * Whether a text of several words, such as the name of a track or a car, holds a banned word. Spaces
 * part words: letters of two of them make no word together, unless each stands alone.
 */
export function hasBannedWords(text: string): boolean {
  const plain = text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{M}]/gu, '')
    .replace(harmlessNames, ' ')
  const spaced = plain.replace(/[\p{P}\p{S}]+/gu, ' ')
  const words = plain.split(/\s+/).map(word => word.replace(/[^\p{L}\p{N}]/gu, ''))
  // Letters one by one, as in "f u c k".
  const spelt = spaced.replace(/(?<=(^|\s)\S)\s+(?=\S(\s|$))/g, '')
  // Mostly they are one and the same text.
  const forms = new Set([plain, spaced, words.join(' '), spelt].map(form => form.trim()))
  return [...forms].some(form => matcher.hasMatch(form))
}

/** People after whom tracks and cars are named. */
const harmlessNames = /\bdick (johnson|trickle|seaman|mann|rathmann|simon|barbour)\b/gi
