/**
 * Returns true if a name could belong to the people who run Lapwing: a word such as "admin", or one that
 * looks like it. Look-alikes use digits for letters, repeated letters, or separators in between.
 */
export function isReserved(username: string): boolean {
  // "JohnAdmin" is two words, like "John_Admin".
  const parted = username.replace(/([a-z])([A-Z])/g, '$1-$2')
  return [username, parted].some(name => patterns.some(pattern => pattern.test(name)))
}

/** Reserved in any part of a name. */
const ANYWHERE = ['lapwing', 'administrator', 'moderator']

/** Reserved as a whole name, and as one word of a name. */
const asWord = [
  ...[
    'admin',
    'admins',
    'administrators',
    'administration',
    'sysadmin',
    'superadmin',
    'mod',
    'mods',
    'moderators',
  ],
  ...['support', 'staff', 'official', 'helpdesk', 'steward', 'stewards'],
  ...['supportteam', 'supportdesk', 'teamsupport', 'mysupport', 'staffteam', 'teamstaff', 'lapstaff'],
  ...['modteam', 'modsquad', 'teammod', 'racecontrol', 'racedirector'],
]

/** Reserved only as a whole name: many good names contain them. */
const asName = [
  ...['system', 'root', 'superuser', 'owner', 'security', 'team', 'help', 'info', 'bot', 'server', 'service'],
  ...['webmaster', 'postmaster', 'hostmaster', 'noreply', 'anonymous', 'everyone', 'null', 'undefined'],
]

/** Characters that look like a letter. */
const lookAlikes: Readonly<Record<string, string>> = {
  a: 'a4',
  b: 'b8',
  e: 'e3',
  g: 'gq69',
  i: 'i1lj',
  l: 'l1i',
  o: 'o0c',
  q: 'q9',
  s: 's5z2',
  t: 't7',
  u: 'uv',
  v: 'vu',
  z: 'z2',
}

/** A letter that two others look like, as a pattern. */
const pairs: Readonly<Record<string, string>> = { d: 'd|cl', m: 'm|rn|nn', n: 'n|ri', w: 'w|vv|uu' }

function looksLike(letter: string): string {
  const pair = pairs[letter]
  return pair === undefined ? `[${lookAlikes[letter] ?? letter}]` : `(?:${pair})`
}

/** Returns a pattern for every spelling of a word: each letter once or more, with separators between. */
const spelling = (word: string) => [...word].map(letter => `${looksLike(letter)}+`).join('[_-]*')

const anyOf = (words: readonly string[]) => words.map(spelling).join('|')
/** Digits and separators at the end of a word do not make it another name. */
const END = '(?=[_-]|[0-9]*(?:[_-]|$))'

const patterns = [
  new RegExp(`(?:${anyOf(ANYWHERE)})`, 'i'),
  new RegExp(`(?:^|[_-])(?:${anyOf(asWord)})${END}`, 'i'),
  // "adminjohn" and "johnadmin"; "badminton" is a sport.
  new RegExp(`^(?:${spelling('admin')})(?!ton)|(?<!^b)(?:${spelling('admin')})[0-9_-]*$`, 'i'),
  new RegExp(`^(?:${anyOf(asName)})[0-9_-]*$`, 'i'),
]
