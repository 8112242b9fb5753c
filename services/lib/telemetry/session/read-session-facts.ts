import { byteString, decodeByteString } from './decode-text.ts'
import type { SessionFacts } from './session-facts.ts'

/**
 * Returns the facts that Lapwing uses from a file's session text, null or empty if the text lacks them. Never
 * throws.
 *
 * The text looks like YAML, but is not. Names are unquoted whatever characters they hold, and can hold line
 * breaks. Keys repeat, and a second document can follow. It may end with `...`, with NULs, or with nothing.
 * So it is read line by line by its indentation. The first value of a key wins, and unknown lines are
 * skipped.
 *
 * Each value is decoded alone, so that a driver's name in another encoding does not spoil the track's.
 */
export function readSessionFacts(bytes: Uint8Array): SessionFacts {
  const nul = bytes.indexOf(0)
  const text = byteString(nul === -1 ? bytes : bytes.subarray(0, nul))
  const session = new SessionText()
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start)
    const end = feed === -1 ? text.length : feed
    session.read(text.slice(start, Math.min(end, start + MAX_LINE)).replace(/\r$/, ''))
    start = end + 1
  }
  return session.facts()
}

/**
 * Entries stored of a list that affects the size of the answer. Real files have up to 5 sessions and 20
 * sectors.
 */
const MAX_LIST = 64
/** Real files list up to 64 cars. */
const MAX_DRIVERS = 256
/** Characters stored of a text value. */
const MAX_TEXT = 128
/** Characters read of a line. No line with a fact is longer. */
const MAX_LINE = 1024
/** Levels of nesting that are read. No fact is nested deeper than 4. */
const MAX_DEPTH = 6

// Maps, not objects: the keys come from the file, and could be `constructor`.
const SKIES: ReadonlyMap<string, 0 | 1 | 2 | 3> = new Map([
  ['clear', 0],
  ['partly cloudy', 1],
  ['mostly cloudy', 2],
  ['overcast', 3],
])

const METRES: ReadonlyMap<string, number> = new Map([
  ['km', 1000],
  ['m', 1],
  ['mi', 1609.344],
])

/** Paths of single values. `WeekendInfo` and the others are the text's own names. */
const PATHS = {
  trackId: 'WeekendInfo/TrackID',
  trackName: 'WeekendInfo/TrackName',
  trackDisplayName: 'WeekendInfo/TrackDisplayName',
  trackConfigName: 'WeekendInfo/TrackConfigName',
  trackLength: 'WeekendInfo/TrackLength',
  trackVersion: 'WeekendInfo/TrackVersion',
  trackAirTemp: 'WeekendInfo/TrackAirTemp',
  trackSkies: 'WeekendInfo/TrackSkies',
  timeOfDay: 'WeekendInfo/WeekendOptions/TimeOfDay',
  teamRacing: 'WeekendInfo/TeamRacing',
  buildVersion: 'WeekendInfo/BuildVersion',
  isFixedSetup: 'WeekendInfo/WeekendOptions/IsFixedSetup',
  seriesId: 'WeekendInfo/SeriesID',
  seasonId: 'WeekendInfo/SeasonID',
  raceWeek: 'WeekendInfo/RaceWeek',
  driverCarIdx: 'DriverInfo/DriverCarIdx',
  driverUserId: 'DriverInfo/DriverUserID',
  carVersion: 'DriverInfo/DriverCarVersion',
  redLine: 'DriverInfo/DriverCarRedLine',
  shiftRpm: 'DriverInfo/DriverCarSLShiftRPM',
} as const

/** The car's set-up, of which only a digest leaves this module. */
const SETUP = 'CarSetup'
/** The sections that are read; the others, such as cameras, are skipped. */
const SECTIONS = ['WeekendInfo', 'SessionInfo', 'DriverInfo', 'SplitTimeInfo', SETUP]

const WANTED: ReadonlySet<string> = new Set(Object.values(PATHS))

/** Paths of the keys of list entries; `-` is the entry. Other keys of an entry are never read. */
const DRIVER = 'DriverInfo/Drivers/-'
const SESSION = 'SessionInfo/Sessions/-'
const SECTOR = 'SplitTimeInfo/Sectors/-'
const ENTRY_KEYS: Readonly<Record<string, ReadonlySet<string>>> = {
  [DRIVER]: new Set(['CarIdx', 'UserID', 'TeamID', 'CarPath', 'CarID', 'CarScreenName']),
  [SESSION]: new Set(['SessionNum', 'SessionType', 'SessionName']),
  [SECTOR]: new Set(['SectorNum', 'SectorStartPct']),
}
const MAX_ENTRIES: Readonly<Record<string, number>> = {
  [DRIVER]: MAX_DRIVERS,
  [SESSION]: MAX_LIST,
  [SECTOR]: MAX_LIST,
}

type Entry = Map<string, string>

// Indentation, the dash of a list entry, the key, and the rest: a value may hold any character. Keys are at
// most 63 characters, so that hostile ones do not make long paths.
const LINE = /^( *)(- +)?([A-Za-z_][A-Za-z0-9_]{0,62}):(?: +(.*))?$/s
const SECTION = /^[A-Z][A-Za-z0-9_]*:\s*$/

class SessionText {
  readonly #values = new Map<string, string>()
  readonly #lists: Readonly<Record<string, Entry[]>> = { [DRIVER]: [], [SESSION]: [], [SECTOR]: [] }
  readonly #sectionsLeft = new Set(SECTIONS)
  /** The position of the line just read: indentation and path of each level. */
  readonly #levels: { indent: number; path: string; entry: Entry | null }[] = []
  /** FNV-1a of the set-up's lines so far; null before the first. */
  #setup: number | null = null

  /**
   * Reads one line. Without indentation only sections count. Everything else, `---` and `...` included, may
   * be the rest of a name with a line break.
   */
  read(line: string): void {
    if (line.startsWith(' ')) {
      if (this.#levels[0]?.path === SETUP) this.#readSetup(line)
      else this.#readKey(line)
    } else if (SECTION.test(line)) this.#openSection(line.slice(0, line.indexOf(':')))
  }

  /** Opens a section the first time its name occurs. A second document may repeat it. */
  #openSection(name: string): void {
    this.#levels.length = 0
    if (this.#sectionsLeft.delete(name)) this.#levels.push({ indent: 0, path: name, entry: null })
  }

  /** Skips the count of changes in the garage, which grows even if a change is undone, and padding. */
  #readSetup(line: string): void {
    if (line.startsWith(' UpdateCount:') || line.trim() === '') return
    let digest = this.#setup ?? 0x811c9dc5
    for (let i = 0; i < line.length; i++) digest = Math.imul(digest ^ line.charCodeAt(i), 0x01000193)
    this.#setup = digest
  }

  #readKey(line: string): void {
    if (this.#levels.length === 0) return
    const match = LINE.exec(line)
    if (match === null) return
    const [, spaces = '', dash, key = '', value] = match
    // A list may have its key's own indentation, so an entry counts as half a step deeper than its dash.
    if (dash !== undefined) this.#openLevel(spaces.length + 0.5, '-')
    const level = this.#openLevel(spaces.length + (dash?.length ?? 0), key)
    if (level === null || value === undefined) return
    const parent = this.#levels.at(-2)
    if (parent?.entry != null) setFirst(parent.entry, key, value, ENTRY_KEYS[parent.path])
    else setFirst(this.#values, level.path, value, WANTED)
  }

  /** Leaves deeper levels and enters `name`; returns null beyond `MAX_DEPTH`. */
  #openLevel(indent: number, name: string): { path: string } | null {
    const levels = this.#levels
    // Only the next section leaves the section itself, at 0.
    while (levels.length > 1 && levels.at(-1)!.indent >= indent) levels.pop()
    if (levels.length >= MAX_DEPTH) return null
    const path = `${levels.at(-1)!.path}/${name}`
    const list = name === '-' ? this.#lists[path] : undefined
    let entry: Entry | null = null
    if (list !== undefined && list.length < MAX_ENTRIES[path]!) {
      entry = new Map()
      list.push(entry)
    }
    const level = { indent, path, entry }
    levels.push(level)
    return level
  }

  facts(): SessionFacts {
    const value = (path: keyof typeof PATHS): string | undefined => this.#values.get(PATHS[path])
    const carIdx = toInteger(value('driverCarIdx'))
    // Other entries are other drivers. If the file does not state which one drove, none is used (D-12).
    const driver = this.#lists[DRIVER]!.find(
      entry => carIdx !== null && toInteger(entry.get('CarIdx')) === carIdx,
    )
    const userId = toInteger(driver?.get('UserID') ?? value('driverUserId'))
    return {
      trackId: toInteger(value('trackId')),
      trackName: toText(value('trackName')),
      trackDisplayName: toText(value('trackDisplayName')),
      trackConfigName: toText(value('trackConfigName')),
      trackLengthM: toMetres(value('trackLength')),
      trackVersion: toText(value('trackVersion')),
      airTempC: toCelsius(value('trackAirTemp')),
      skies: SKIES.get(toText(value('trackSkies'))?.toLowerCase() ?? '') ?? null,
      timeOfDayS: toTimeOfDayS(value('timeOfDay')),
      carId: toInteger(driver?.get('CarID')),
      carPath: toText(driver?.get('CarPath')),
      carScreenName: toText(driver?.get('CarScreenName')),
      carVersion: toText(value('carVersion')),
      userId: userId !== null && userId > 0 ? userId : null,
      isTeamSession: isSet(driver?.get('TeamID')) || isSet(value('teamRacing')),
      buildVersion: toText(value('buildVersion')),
      isFixedSetup: toFlag(value('isFixedSetup')),
      seriesId: toInteger(value('seriesId')),
      seasonId: toInteger(value('seasonId')),
      raceWeek: toInteger(value('raceWeek')),
      redLineRpm: toPositive(value('redLine')),
      shiftRpm: toPositive(value('shiftRpm')),
      sessionTypes: bySession(this.#lists[SESSION]!, entry => toText(entry.get('SessionType'))),
      sessionNames: bySession(this.#lists[SESSION]!, sessionName),
      sectorStarts: sectorStarts(this.#lists[SECTOR]!),
      setupDigest: this.#setup === null ? null : (this.#setup >>> 0).toString(16).padStart(8, '0'),
    }
  }
}

function setFirst(
  into: Map<string, string>,
  key: string,
  value: string,
  wanted: ReadonlySet<string> | undefined,
): void {
  if (wanted?.has(key) && !into.has(key)) into.set(key, value)
}

function bySession(entries: readonly Entry[], textOf: (entry: Entry) => string | null): Map<number, string> {
  const texts = new Map<number, string>()
  for (const entry of entries) {
    const num = toInteger(entry.get('SessionNum'))
    const text = textOf(entry)
    if (num !== null && text !== null && !texts.has(num)) texts.set(num, text)
  }
  return texts
}

/** Returns a session's name. The simulator writes names in capitals: `HEAT 1` becomes `Heat 1`. */
function sessionName(entry: Entry): string | null {
  const name = toText(entry.get('SessionName'))
  if (name === null) return toText(entry.get('SessionType'))
  if (name !== name.toUpperCase()) return name
  return name.toLowerCase().replace(/(?<![\p{L}\p{N}])\p{L}/gu, letter => letter.toUpperCase())
}

/** Returns ascending shares of the lap from 0 on; empty if the text has no usable sector. */
function sectorStarts(entries: readonly Entry[]): number[] {
  const starts = new Set<number>()
  for (const entry of entries) {
    const share = toNumber(entry.get('SectorStartPct'))
    if (share !== null && share >= 0 && share < 1) starts.add(share)
  }
  if (starts.size > 0) starts.add(0)
  return [...starts].sort((a, b) => a - b)
}

/**
 * Returns the decoded text without quotes, control characters and lone surrogates; null if nothing is left.
 * Removes marks that change the direction of writing, which would turn the text around a name on other
 * drivers' pages. Removes characters without width, too: a name would look like another one, and have its own
 * boards.
 */
function toText(value: string | undefined): string | null {
  if (value === undefined) return null
  const decoded = decodeByteString(value)
  const unquoted = decoded.trim().replace(/^(["'])(.*)\1$/s, '$2')
  const clean = unquoted.replace(UNSEEN, '').trim()
  return clean === '' ? null : clean.slice(0, MAX_TEXT).toWellFormed()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes them
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

const NUMBER = /^["']?([-+]?[0-9]{1,15}(?:\.[0-9]{1,15})?)(?![0-9.]) *([A-Za-z]*)/

function toNumber(value: string | undefined): number | null {
  const match = NUMBER.exec(value ?? '')
  return match === null ? null : Number(match[1])
}

function unitOf(value: string | undefined): string {
  return NUMBER.exec(value ?? '')?.[2]?.toLowerCase() ?? ''
}

function toInteger(value: string | undefined): number | null {
  const number = toNumber(value)
  return Number.isSafeInteger(number) ? number : null
}

function toPositive(value: string | undefined): number | null {
  const number = toNumber(value)
  return number !== null && number > 0 ? number : null
}

/** Null if the value is missing. */
function toFlag(value: string | undefined): boolean | null {
  const number = toInteger(value)
  return number === null ? null : number !== 0
}

function isSet(value: string | undefined): boolean {
  return toFlag(value) === true
}

/** iRacing writes kilometres. */
function toMetres(value: string | undefined): number | null {
  const length = toPositive(value)
  const unit = METRES.get(unitOf(value))
  // 0.8282 km is 828.2 m, not the 828.1999999999999 of the plain product.
  const metres = Math.round((length ?? 0) * (unit ?? 0) * 1000) / 1000
  return metres > 0 ? metres : null
}

const TIME_OF_DAY = /^["']?(\d{1,2}):(\d{2}) *([ap]m)/i

/** Reads times such as `2:05 pm`. Older files have words such as `Afternoon`, which state no time. */
function toTimeOfDayS(value: string | undefined): number | null {
  const [, hours, minutes, half] = TIME_OF_DAY.exec(value ?? '') ?? []
  if (half === undefined || Number(hours) < 1 || Number(hours) > 12 || Number(minutes) > 59) return null
  const hour = (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  return 3600 * hour + 60 * Number(minutes)
}

function toCelsius(value: string | undefined): number | null {
  const temperature = toNumber(value)
  if (temperature === null) return null
  return unitOf(value) === 'f' ? ((temperature - 32) * 5) / 9 : temperature
}
